//! Questions to a judge: answers are kept by position, and a judge that fails is not asked again.

use std::collections::{BTreeMap, VecDeque};

use ishi_go::Position;
use ishi_rng::checksum::fnv_checksum;

use super::veto::KnownOwners;
use crate::analyst::{JudgeControl, JudgeError, PositionJudge};
use ishi_engine::SearchReport;
use ishi_work::Stop;

/// Answers that are kept: those of two long games with a better move for each.
const KEPT: usize = 1200;

/// A position with its rules and its history: checksums of what is asked.
pub type PositionKey = [u64; 2];

/// The key by which answers about a position are kept: two positions with the same stones, but other moves before them, have different ones.
pub fn position_key(position: &Position) -> PositionKey {
    let terms = format!(
        "{:?} {} {} {:?} {:?}",
        position.size(),
        position.komi(),
        position.handicap(),
        position.rules(),
        position.setup_stones()
    );
    let played: Vec<u8> = position
        .moves()
        .iter()
        .flat_map(|&(color, mv)| {
            let place = mv.point().map_or(u16::MAX, |point| point.index() as u16);
            let [low, high] = place.to_le_bytes();
            [color.index() as u8, low, high]
        })
        .collect();
    let text = [terms.as_bytes(), &played].concat();
    [fnv_checksum(&text), position.situation_hash()]
}

/// A judge with its answers.
pub(super) struct AskedJudge {
    judge: Box<dyn PositionJudge>,
    answers: BTreeMap<PositionKey, SearchReport>,
    /// The oldest first.
    order: VecDeque<PositionKey>,
    failure: Option<JudgeError>,
    owners: KnownOwners,
}

impl AskedJudge {
    /// What is answered of owners goes into `owners`, too.
    pub(super) fn new(judge: Box<dyn PositionJudge>, owners: KnownOwners) -> AskedJudge {
        AskedJudge { judge, answers: BTreeMap::new(), order: VecDeque::new(), failure: None, owners }
    }

    pub(super) fn judge(&self) -> &dyn PositionJudge {
        &*self.judge
    }

    /// Has it failed, other than by being stopped?
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Why it has failed.
    pub(super) fn failure(&self) -> Option<&JudgeError> {
        self.failure.as_ref()
    }

    /// What it says of a position; nothing if it was stopped or fails.
    pub(super) fn ask_about(&mut self, position: &Position, stop: &(dyn Stop + Sync)) -> SearchReport {
        if let Some(known) = self.answers.get(&position_key(position)) {
            self.owners.note_report(position, known);
            return known.clone();
        }
        let mut control = JudgeControl { stop, tell: &mut |_| {} };
        let mut found = self.ask_judge(std::slice::from_ref(position), &mut control);
        let report = found.pop().unwrap_or_default();
        self.owners.note_report(position, &report);
        self.keep_answer(position, &report, stop);
        report
    }

    /// Asks about all positions at once, so that the answers are there when they are wanted.
    pub(super) fn ask_ahead(&mut self, positions: &[Position], control: &mut JudgeControl<'_>) {
        let unknown: Vec<Position> = positions
            .iter()
            .filter(|position| !self.answers.contains_key(&position_key(position)))
            .cloned()
            .collect();
        let found = self.ask_judge(&unknown, control);
        for (position, report) in unknown.iter().zip(&found) {
            self.keep_answer(position, report, control.stop);
        }
    }

    fn ask_judge(&mut self, positions: &[Position], control: &mut JudgeControl<'_>) -> Vec<SearchReport> {
        if positions.is_empty() || self.has_failed() {
            return Vec::new();
        }
        match self.judge.judge_positions(positions, control) {
            Ok(reports) => reports,
            Err(JudgeError::Stopped) => Vec::new(),
            Err(failure) => {
                self.failure = Some(failure);
                Vec::new()
            }
        }
    }

    /// What was stopped in its middle is not kept.
    fn keep_answer(&mut self, position: &Position, report: &SearchReport, stop: &(dyn Stop + Sync)) {
        if report.playouts == 0 || stop.is_requested() {
            return;
        }
        let key = position_key(position);
        if self.answers.insert(key, report.clone()).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::scripted::{ScriptedJudge, game_with_a_blunder, position_of_game};
    use super::super::{ExplainParams, Explainer, review};
    use super::*;
    use ishi_rng::Seed;

    fn explainer(judge: &ScriptedJudge) -> Explainer {
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge.clone()))
    }

    #[test]
    fn a_position_is_asked_about_once() {
        let judge = ScriptedJudge::default();
        let explainer = explainer(&judge);
        let position = position_of_game(3);
        let first = explainer.value_of_position(&position);
        assert_eq!(explainer.value_of_position(&position), first);
        assert_eq!(judge.asked(), [1]);
        let mut other = position.clone();
        other.set_komi(0.5).unwrap();
        explainer.value_of_position(&other);
        assert_eq!(judge.asked(), [1, 1], "with another komi it is another position");
    }

    /// The seven positions of the game, then that after the better move, then the mirror images that confirm the loss.
    #[test]
    fn a_judge_that_likes_many_questions_gets_the_game_at_once() {
        let (one, many) =
            (ScriptedJudge::default(), ScriptedJudge { likes_many: true, ..Default::default() });
        let mut heard = Vec::new();
        let rows = [&one, &many].map(|judge| {
            heard.clear();
            let position = |played| Ok::<_, Infallible>(position_of_game(played));
            let goes_on = |done: usize| {
                heard.push(done);
                true
            };
            review::review_moves(&explainer(judge), &game_with_a_blunder(), position, goes_on)
                .unwrap()
                .unwrap()
                .moves
        });
        // Half of the six moves for the positions, a quarter for the better move, a quarter for the images; then the rows.
        assert_eq!(heard, [3, 4, 6, 0, 1, 2, 3, 4, 5]);
        assert_eq!(rows[0], rows[1]);
        assert_eq!(many.asked(), [7, 1, 2]);
        assert_eq!(one.asked(), [1; 10]);
        let lost: Vec<usize> =
            rows[0].iter().filter(|row| row.better.is_some()).map(|row| row.number).collect();
        assert_eq!(lost, [5]);
        assert!((rows[0][4].lost_points - 8.0).abs() < 1e-9, "{:?}", rows[0][4]);
    }

    #[test]
    fn a_judge_that_fails_is_not_asked_again_and_its_words_are_kept() {
        let judge = ScriptedJudge { fails: true, ..Default::default() };
        let mut explainer = explainer(&judge);
        explainer.explain_move(&position_of_game(3), None, &[]);
        assert_eq!(explainer.judge_failure(), Some(JudgeError::Failed("no network".to_string())));
        assert_eq!(judge.asked(), [1]);
        let position = |played| Ok::<_, Infallible>(position_of_game(played));
        let wish = review::LessonWish { player: None, most: 1 };
        let review = review::review_game(&mut explainer, &game_with_a_blunder(), wish, position, |_| true);
        assert!(review.unwrap().is_none(), "no review without a judge");
    }
}
