//! Alpha-beta over the whole board, among the moves that rules suggest.

use ishi_go::{Color, Move, Position};
use ishi_work::Stop;

use super::{LookAhead, Outlook, SearchMove, Sequel, suggestions_to_search, take_back, to_search_move};
use crate::analysis::Analysis;
use crate::groups::Group;
use crate::oracle::{GroupStrength, Oracle};
use crate::rules::{self, Suggestion};
use crate::urgent::UrgentGroups;

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
pub struct SearchPlan {
    /// The moves looked at, the best first; empty if rules suggest none.
    pub candidates: Vec<Candidate>,
    /// What is expected of a pass; looked at in the endgame, and where nothing is suggested.
    pub pass: Option<Outlook>,
    /// Plies of the last search that was finished.
    pub depth: usize,
    /// Positions looked at.
    pub nodes: u64,
}

impl SearchPlan {
    /// The best move; a pass if no other gains anything.
    pub fn best_move(&self) -> Move {
        let lead = |pass: &Outlook| pass.lead + LEAST_GAIN;
        match (self.candidates.first(), &self.pass) {
            (None, _) => Move::Pass,
            (Some(best), Some(pass)) if best.outlook.lead <= lead(pass) => Move::Pass,
            (Some(best), _) => Move::Play(best.suggestion.mv),
        }
    }
}

/// A search under way.
struct SearchBounds<'a> {
    /// Nodes at which it ends.
    nodes: u64,
    stop: &'a dyn Stop,
}

/// All values.
const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A move of the search.
struct LookAheadStep<'a> {
    mv: Move,
    /// Points that count for it beside what comes of it.
    gain: f64,
    sequel: &'a Sequel,
}

impl LookAheadStep<'_> {
    fn from_choice(choice: &SearchMove, trust: f64) -> LookAheadStep<'_> {
        LookAheadStep { mv: choice.mv.into(), gain: trust * choice.value, sequel: &choice.sequel }
    }
}

/// Nobody moves, and nothing follows of itself.
fn pass_step(nothing: &Sequel) -> LookAheadStep<'_> {
    LookAheadStep { mv: Move::Pass, gain: 0.0, sequel: nothing }
}

impl<O: Oracle> LookAhead<O> {
    /// Looks for the best move of the side to move, deeper and deeper. Of the suggestions only those count that `allowed` allows. The
    /// position is left as it was. Once `stop` says so, the best so far is given.
    pub fn search(
        &mut self,
        position: &mut Position,
        allowed: &dyn Fn(Move) -> bool,
        stop: &dyn Stop,
    ) -> SearchPlan {
        self.analyses.clear();
        self.choices.clear();
        self.nodes = 0;
        let analysis = self.cached_analysis(position);
        let mut suggestions = rules::suggest_moves(position, &analysis);
        suggestions.retain(|found| allowed(found.mv.into()) && is_legal_suggestion(position, found));
        let urgent = suggestions_to_search(&suggestions, self.params.style);
        if urgent.len() < suggestions.len() {
            let plan = self.deepen_search(position, urgent, false, stop);
            if self.is_reasonable(position, &analysis, &plan, stop) {
                return plan;
            }
            // None of them does what it is for: they come by their value as all others.
            suggestions.sort_by(|a, b| b.value.total_cmp(&a.value));
        }
        let may_pass = suggestions.is_empty() || analysis.may_pass();
        self.deepen_search(position, &suggestions, may_pass, stop)
    }

    /// Does the best urgent move do what it is for? Once all that is open after it is settled, one of the own urgent groups is safe, or one
    /// of the opponent's is taken or dead; where only a pattern calls it urgent, its side stands no worse than now.
    fn is_reasonable(
        &mut self,
        position: &mut Position,
        now: &Analysis,
        plan: &SearchPlan,
        stop: &dyn Stop,
    ) -> bool {
        let Some(best) = plan.candidates.first() else { return false };
        let color = position.to_move();
        let choice = to_search_move(&best.suggestion);
        // Nearly all of it was looked at for the plan.
        let bounds = SearchBounds { nodes: u64::MAX, stop };
        let after = self.outlook_after(
            position,
            &LookAheadStep::from_choice(&choice, self.params.trust),
            1,
            ALL,
            &bounds,
        );
        let Some(after) = after else { return false };
        let groups = UrgentGroups::for_side(now, color);
        if groups.is_empty() {
            return after.lead >= if color == Color::Black { now.black_lead } else { -now.black_lead };
        }
        let played =
            after.line.iter().take_while(|&&mv| position.play(position.to_move(), mv).is_ok()).count();
        let end = self.cached_analysis(position);
        take_back(position, played);
        let strength = |group: &Group| {
            end.group_at(group.name())
                .filter(|at_end| at_end.color == group.color)
                .map(|at_end| at_end.strength)
        };
        groups.defend.iter().any(|group| strength(group) > Some(GroupStrength::Critical))
            || groups.attack.iter().any(|group| strength(group) <= Some(GroupStrength::Dead))
    }

    /// Looks at the first of these suggestions, deeper and deeper; of a pass, too, if it may be played.
    fn deepen_search(
        &mut self,
        position: &mut Position,
        suggestions: &[Suggestion],
        may_pass: bool,
        stop: &dyn Stop,
    ) -> SearchPlan {
        // What was looked at for other suggestions counts half at most.
        let bounds = SearchBounds { nodes: self.params.nodes.max(self.nodes + self.params.nodes / 2), stop };
        let first = suggestions.iter().take(self.params.width);
        let mut candidates: Vec<Candidate> = first.cloned().map(unsearched_candidate).collect();
        let mut passed = None;
        let mut finished = 0;
        for depth in 1..=self.params.depth.max(1) {
            let found = self.search_candidates(position, &candidates, depth, &bounds);
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
                passed = self.outlook_after(position, &pass_step(&Sequel::default()), depth, ALL, &bounds);
            }
            finished = depth;
        }
        SearchPlan { candidates, pass: passed, depth: finished, nodes: self.nodes }
    }

    /// Looks at the candidates in turn, as many as the bounds allow.
    fn search_candidates(
        &mut self,
        position: &mut Position,
        candidates: &[Candidate],
        depth: usize,
        bounds: &SearchBounds<'_>,
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut alpha = f64::NEG_INFINITY;
        for candidate in candidates {
            let choice = to_search_move(&candidate.suggestion);
            let step = LookAheadStep::from_choice(&choice, self.params.trust);
            let Some(outlook) = self.outlook_after(position, &step, depth, [alpha, f64::INFINITY], bounds)
            else {
                break;
            };
            alpha = alpha.max(outlook.value);
            found.push(Candidate { suggestion: candidate.suggestion.clone(), outlook });
        }
        found
    }

    /// What is expected of a legal move, for its side; `None`: the bounds were reached.
    fn outlook_after(
        &mut self,
        position: &mut Position,
        step: &LookAheadStep<'_>,
        depth: usize,
        [alpha, beta]: [f64; 2],
        bounds: &SearchBounds<'_>,
    ) -> Option<Outlook> {
        position.play(position.to_move(), step.mv).ok()?;
        let window = [step.gain - beta, step.gain - alpha];
        let found = self.search_outlook(position, depth - 1, step.sequel, window, bounds);
        position.undo();
        Some(found?.seen_before(step.mv, step.gain))
    }

    /// Fail-soft alpha-beta. `sequel` is what follows the last move of itself.
    fn search_outlook(
        &mut self,
        position: &mut Position,
        depth: usize,
        sequel: &Sequel,
        [mut alpha, beta]: [f64; 2],
        bounds: &SearchBounds<'_>,
    ) -> Option<Outlook> {
        if self.nodes >= bounds.nodes || bounds.stop.is_requested() {
            return None;
        }
        if depth == 0 || position.is_over() {
            return Some(self.play_sequel(position, sequel));
        }
        let choices = self.moves_to_search(position);
        let mut steps: Vec<LookAheadStep<'_>> =
            choices.iter().map(|choice| LookAheadStep::from_choice(choice, self.params.trust)).collect();
        let nothing = Sequel::default();
        steps.retain(|step| position.is_legal(position.to_move(), step.mv));
        if steps.is_empty() || self.cached_analysis(position).may_pass() {
            steps.push(pass_step(&nothing));
        }
        let mut best: Option<Outlook> = None;
        for step in &steps {
            let found = self.outlook_after(position, step, depth, [alpha, beta], bounds)?;
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

fn is_legal_suggestion(position: &Position, found: &Suggestion) -> bool {
    position.is_legal(position.to_move(), found.mv.into())
}

fn unsearched_candidate(suggestion: Suggestion) -> Candidate {
    let line = vec![Move::Play(suggestion.mv)];
    Candidate { suggestion, outlook: Outlook { value: f64::NEG_INFINITY, lead: 0.0, line } }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Rules};

    use super::*;
    use crate::lookahead::LookAheadParams;
    use crate::{ReadingOracle, Style};

    /// White's seven stones around three points live or die by D1; the upper half is open.
    const OPEN_GROUP: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X X X X X . .
        X O O O O O X . .
        X O . . . O X . .
    ";

    fn position(to_move: Color) -> Position {
        OPEN_GROUP.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, to_move).unwrap()
    }

    fn ahead(style: &str) -> LookAhead<ReadingOracle> {
        let style: Style = style.parse().unwrap();
        let params = LookAheadParams { nodes: 100, ..LookAheadParams::for_style(style) };
        LookAhead::new(params, ReadingOracle::default())
    }

    #[test]
    fn if_a_reasonable_urgent_move_is_found_no_other_is_considered() {
        for to_move in Color::ALL {
            for style in ["urgent-first=yes", "many-faces"] {
                let plan = ahead(style).search(&mut position(to_move), &|_| true, &|| false);
                assert_eq!(plan.best_move().to_string(), "D1", "{style}");
                assert!(plan.candidates.iter().all(|found| found.suggestion.is_urgent), "{style}");
            }
            let plan = ahead("ishi").search(&mut position(to_move), &|_| true, &|| false);
            assert!(
                plan.candidates.iter().any(|found| found.suggestion.mv.row() > 2),
                "others are considered"
            );
        }
    }

    /// With D1 forbidden the other moves at the group save nothing: then all are considered.
    #[test]
    fn urgent_moves_that_gain_nothing_are_not_reasonable() {
        let decides = position(Color::White).size().parse_move("D1").unwrap();
        let plan =
            ahead("urgent-first=yes").search(&mut position(Color::White), &|mv| mv != decides, &|| false);
        assert!(plan.candidates.iter().any(|found| !found.suggestion.is_urgent));
    }

    #[test]
    fn a_search_for_quiet_settles_what_is_open_and_ends() {
        let mut leads = Vec::new();
        for to_move in Color::ALL {
            let (mut ahead, mut position) = (ahead("quiescence=search"), position(to_move));
            let quiet = ahead.settle_to_quiet(&mut position);
            assert_eq!(
                quiet.line.first().map(|(color, mv)| (*color, mv.to_string())),
                Some((to_move, "D1".into()))
            );
            assert_eq!(position.to_move(), to_move, "the position is as it was");
            assert!(ahead.nodes <= 20, "{}", ahead.nodes);
            leads.push(quiet.black_lead);
        }
        assert!(leads[0] > leads[1] + 10.0, "who moves first has the stones: {leads:?}");
    }
}
