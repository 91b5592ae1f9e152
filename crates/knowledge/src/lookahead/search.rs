//! Alpha-beta over the whole board, among the moves that rules suggest.

use ishi_go::{Move, Position};

use super::{Choice, LookAhead, Outlook, Sequel, choice, considered};
use crate::oracle::Oracle;
use crate::rules::{self, Suggestion};

/// A move that must gain so many points over a pass is worth playing.
const LEAST_GAIN: f64 = 0.25;

/// A suggestion with what is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The suggestion.
    pub suggestion: Suggestion,
    /// What is expected. Of all but the best one the value may be an upper bound.
    pub outlook: Outlook,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The moves looked at, the best first; empty if rules suggest none.
    pub candidates: Vec<Candidate>,
    /// What is expected of a pass; looked at in the endgame, and where nothing is suggested.
    pub pass: Option<Outlook>,
    /// Plies of the last search that was finished.
    pub depth: usize,
    /// Positions looked at.
    pub nodes: u64,
}

impl Plan {
    /// The best move; a pass if no other gains anything.
    pub fn best(&self) -> Move {
        let lead = |pass: &Outlook| pass.lead + LEAST_GAIN;
        match (self.candidates.first(), &self.pass) {
            (None, _) => Move::Pass,
            (Some(best), Some(pass)) if best.outlook.lead <= lead(pass) => Move::Pass,
            (Some(best), _) => Move::Play(best.suggestion.mv),
        }
    }

    /// Does the best move gain more over a pass than a move elsewhere is worth? Unknown is no.
    fn is_reasonable(&self, elsewhere: f64) -> bool {
        let (Some(best), Some(pass)) = (self.candidates.first(), &self.pass) else { return false };
        best.outlook.value - pass.value > elsewhere
    }
}

/// A search under way.
struct Bounds<'a> {
    /// Nodes at which it ends.
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

/// All values.
const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A move of the search.
struct Step<'a> {
    mv: Move,
    /// Points that count for it beside what comes of it.
    gain: f64,
    sequel: &'a Sequel,
}

impl Step<'_> {
    fn of(choice: &Choice, trust: f64) -> Step<'_> {
        Step { mv: choice.mv.into(), gain: trust * choice.value, sequel: &choice.sequel }
    }
}

/// Nobody moves, and nothing follows of itself.
fn pass(nothing: &Sequel) -> Step<'_> {
    Step { mv: Move::Pass, gain: 0.0, sequel: nothing }
}

impl<O: Oracle> LookAhead<O> {
    /// Looks for the best move of the side to move, deeper and deeper. Of the suggestions only those count that `allowed` allows. The
    /// position is left as it was. Once `stop` says so, the best so far is given.
    pub fn search(
        &mut self,
        position: &mut Position,
        allowed: &dyn Fn(Move) -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Plan {
        self.analyses.clear();
        self.choices.clear();
        self.nodes = 0;
        let analysis = self.analysis(position);
        let mut suggestions = rules::suggest(position, &analysis);
        suggestions.retain(|found| allowed(found.mv.into()) && is_legal(position, found));
        let urgent = considered(&suggestions, self.params.style);
        if urgent.len() < suggestions.len() {
            let plan = self.deepen(position, urgent, true, stop);
            if plan.is_reasonable(analysis.sente) {
                return plan;
            }
        }
        let may_pass = suggestions.is_empty() || analysis.may_pass();
        self.deepen(position, &suggestions, may_pass, stop)
    }

    /// Looks at the first of these suggestions, deeper and deeper; of a pass, too, if it may be played.
    fn deepen(
        &mut self,
        position: &mut Position,
        suggestions: &[Suggestion],
        may_pass: bool,
        stop: &dyn Fn() -> bool,
    ) -> Plan {
        // What was looked at for other suggestions counts half at most.
        let bounds = Bounds { nodes: self.params.nodes.max(self.nodes + self.params.nodes / 2), stop };
        let first = suggestions.iter().take(self.params.width);
        let mut candidates: Vec<Candidate> = first.cloned().map(unseen).collect();
        let mut passed = None;
        let mut finished = 0;
        for depth in 1..=self.params.depth.max(1) {
            let found = self.iteration(position, &candidates, depth, &bounds);
            let is_out = found.len() < candidates.len();
            if is_out && depth > 1 {
                break;
            }
            // Of a first depth that was cut short what was seen comes before what was not.
            let rest = candidates.split_off(found.len());
            candidates = found;
            candidates.sort_by(|a, b| b.outlook.value.total_cmp(&a.outlook.value));
            candidates.extend(rest);
            if is_out {
                break;
            }
            if may_pass {
                passed = self.after(position, &pass(&Sequel::default()), depth, ALL, &bounds);
            }
            finished = depth;
        }
        Plan { candidates, pass: passed, depth: finished, nodes: self.nodes }
    }

    /// Looks at the candidates in turn, as many as the bounds allow.
    fn iteration(
        &mut self,
        position: &mut Position,
        candidates: &[Candidate],
        depth: usize,
        bounds: &Bounds<'_>,
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut alpha = f64::NEG_INFINITY;
        for candidate in candidates {
            let choice = choice(&candidate.suggestion);
            let step = Step::of(&choice, self.params.trust);
            let Some(outlook) = self.after(position, &step, depth, [alpha, f64::INFINITY], bounds) else {
                break;
            };
            alpha = alpha.max(outlook.value);
            found.push(Candidate { suggestion: candidate.suggestion.clone(), outlook });
        }
        found
    }

    /// What is expected of a legal move, for its side; `None`: the bounds were reached.
    fn after(
        &mut self,
        position: &mut Position,
        step: &Step<'_>,
        depth: usize,
        [alpha, beta]: [f64; 2],
        bounds: &Bounds<'_>,
    ) -> Option<Outlook> {
        position.play(position.to_move(), step.mv).ok()?;
        let window = [step.gain - beta, step.gain - alpha];
        let found = self.expect(position, depth - 1, step.sequel, window, bounds);
        position.undo();
        Some(found?.before(step.mv, step.gain))
    }

    /// Fail-soft alpha-beta. `sequel` is what follows the last move of itself.
    fn expect(
        &mut self,
        position: &mut Position,
        depth: usize,
        sequel: &Sequel,
        [mut alpha, beta]: [f64; 2],
        bounds: &Bounds<'_>,
    ) -> Option<Outlook> {
        if self.nodes >= bounds.nodes || (bounds.stop)() {
            return None;
        }
        if depth == 0 || position.is_over() {
            return Some(self.horizon(position, sequel));
        }
        let choices = self.choices(position);
        let mut steps: Vec<Step<'_>> =
            choices.iter().map(|choice| Step::of(choice, self.params.trust)).collect();
        let nothing = Sequel::default();
        steps.retain(|step| position.is_legal(position.to_move(), step.mv));
        if steps.is_empty() || self.analysis(position).may_pass() {
            steps.push(pass(&nothing));
        }
        let mut best: Option<Outlook> = None;
        for step in &steps {
            let found = self.after(position, step, depth, [alpha, beta], bounds)?;
            alpha = alpha.max(found.value);
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn is_legal(position: &Position, found: &Suggestion) -> bool {
    position.is_legal(position.to_move(), found.mv.into())
}

fn unseen(suggestion: Suggestion) -> Candidate {
    let line = vec![Move::Play(suggestion.mv)];
    Candidate { suggestion, outlook: Outlook { value: f64::NEG_INFINITY, lead: 0.0, line } }
}
