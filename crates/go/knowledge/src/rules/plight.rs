//! What the balance of the game asks for: who is ahead makes sure of what is nearly dead, who is far behind tries what cannot work.
//!
//! D. Fotland, "Knowledge representation in The Many Faces of Go" (1993), sections 4 and 6. Only in styles that have such moves; where
//! they have, `answer-dead` is about dead groups that were touched, and only for who is ahead.

use ishi_go::Point;
use ishi_reading::PointSet;

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::groups::Group;
use crate::oracle::GroupStrength;
use crate::reasons::{Reason, RuleFamily};
use crate::strategy::{GameBalance, GamePhase};
use crate::style::{Desperate, Finishing};
use crate::urgent::LARGE;

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("finish", RuleFamily::Strategy, 3.0, "makes sure of the {count} stones at {about}, which are nearly dead, being ahead", "優勢なので、ほぼ死んでいる{about}の{count}子に念を入れます", Condition::Find(suggest_finishing)),
    new_rule("answer-touched", RuleFamily::Strategy, 4.0, "answers at the dead group at {about}, that was touched, being ahead", "優勢なので、死んでいる{about}への手に受けます", Condition::Find(suggest_answer_to_touch)),
    new_rule("help-hopeless", RuleFamily::Strategy, 3.0, "tries to help the {count} stones at {about}, which have no hope, being far behind", "大差で劣勢なので、絶望的な{about}の{count}子に手を入れてみます", Condition::Find(suggest_hopeless_help)),
    new_rule("bluff", RuleFamily::Strategy, 3.0, "invades on a bluff, being behind", "劣勢なので、無理を承知で入ります", Condition::Find(suggest_bluffs)),
];

/// How many of the points of a group's fight are tried.
const TRIED: usize = 2;
/// Lines around a bluff in which nobody stands.
const ROOM: usize = 1;

/// Where a group that is dead, or nearly, could still try something, the best first: the move that decides, vital points of its eye
/// spaces, eyes that it could make, ways out that lead anywhere.
fn remaining_resources(view: &RuleContext<'_>, group: &Group) -> Vec<Point> {
    let decided = group.fate.and_then(|fate| fate.kill);
    let spaces = view.analysis.spaces.iter().filter(|space| space.color == group.color);
    let beside =
        spaces.filter(|space| !space.points.with_neighbours().intersection(&group.stones).is_empty());
    let vital = beside.flat_map(|space| space.vital.iter().copied());
    let eyes = group.potential.iter().map(|way| way.mv);
    let ways = group.escapes.iter().filter(|way| way.worth() > 0.0).map(|way| way.point);
    let mut found: Vec<Point> = Vec::new();
    for point in decided.into_iter().chain(vital).chain(eyes).chain(ways) {
        if view.is_empty(point) && !found.contains(&point) {
            found.push(point);
        }
    }
    found
}

/// Dead, or weak: without a move it will be.
fn is_nearly_dead(group: &Group) -> bool {
    matches!(group.strength, GroupStrength::Dead | GroupStrength::Weak)
}

fn is_finishing(view: &RuleContext<'_>) -> bool {
    view.analysis.style.finishing == Finishing::Yes && view.analysis.balance >= GameBalance::Ahead
}

/// The opponent's large groups that are nearly dead and could still try something.
fn suggest_finishing(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if !is_finishing(view) {
        return;
    }
    let groups = view.analysis.groups.iter().filter(|group| group.color != view.color);
    for group in groups.filter(|group| is_nearly_dead(group) && group.stones.len() >= LARGE) {
        for mv in remaining_resources(view, group).into_iter().take(TRIED) {
            let reason = Reason::for_rule(rule).about_stone(group.name()).with_count(group.stones.len());
            out.suggest(view, mv, reason.with_added_value(0.3 * group.stones.len() as f64));
        }
    }
}

/// The opponent has played beside its own dead group: what that threatens is met.
fn suggest_answer_to_touch(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let Some(last) = view.last.filter(|_| is_finishing(view)) else { return };
    let near = PointSet::from_point(last).with_neighbours().with_neighbours();
    let groups = view.analysis.groups.iter().filter(|group| group.color != view.color);
    let touched = |group: &&Group| {
        group.strength == GroupStrength::Dead
            && !group.stones.difference(&PointSet::from_point(last)).intersection(&near).is_empty()
    };
    for group in groups.filter(touched) {
        // What is near the stone that touched comes first.
        let mut points = remaining_resources(view, group);
        points.extend(last.neighbours().into_iter().filter(|&point| view.is_empty(point)));
        points.sort_by_key(|point| point.steps_to(last));
        for mv in points.into_iter().take(TRIED) {
            let reason = Reason::for_rule(rule).about_stone(group.name());
            out.suggest(view, mv, reason.with_added_value(0.2 * group.stones.len() as f64));
        }
    }
}

/// One's own dead groups, when nothing else helps.
fn suggest_hopeless_help(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let is_lost = view.analysis.balance == GameBalance::WellBehind;
    if view.analysis.style.desperate == Desperate::No || !is_lost {
        return;
    }
    let groups = view.analysis.groups.iter().filter(|group| group.color == view.color);
    for group in groups.filter(|group| group.strength == GroupStrength::Dead && group.stones.len() > 1) {
        for mv in remaining_resources(view, group).into_iter().take(TRIED) {
            let reason = Reason::for_rule(rule).about_stone(group.name()).with_count(group.stones.len());
            out.suggest(view, mv, reason.with_added_value(0.3 * group.stones.len() as f64));
        }
    }
}

/// Points in the opponent's territory with room around them, from the third line on.
fn suggest_bluffs(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let is_behind = view.analysis.balance <= GameBalance::Behind;
    if view.analysis.style.desperate == Desperate::No
        || !is_behind
        || view.analysis.phase == GamePhase::Opening
    {
        return;
    }
    let is_theirs = |mv: Point| view.analysis.influence.territory_owner(mv) == Some(!view.color);
    for mv in view.board.size().points() {
        if view.is_empty(mv) && view.line_of(mv) >= 3 && is_theirs(mv) && view.stones_near(mv, ROOM) == 0 {
            out.suggest(view, mv, Reason::for_rule(rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Position, Rules};

    use crate::rules::suggest_moves;
    use crate::{Analysis, ReadingOracle, Style};

    /// Names of the rules of this file that suggest something to a side.
    fn told(board: &str, white: Option<&str>, to_move: Color, style: &str) -> Vec<&'static str> {
        let diagram: Diagram = board.parse().unwrap();
        let start = if white.is_some() { Color::White } else { to_move };
        let mut position: Position = diagram.to_position(Rules::CHINESE, start).unwrap();
        if let Some(white) = white {
            position.play(Color::White, position.size().parse_move(white).unwrap()).unwrap();
        }
        let style: Style = style.parse().unwrap();
        let analysis = Analysis::analyze_in_style(style, &position, &mut ReadingOracle::default());
        let of_plight = ["finish", "answer-touched", "help-hopeless", "bluff"];
        let suggestions = suggest_moves(&position, &analysis);
        let names = suggestions.iter().flat_map(|found| &found.reasons).map(|reason| reason.rule.name);
        let mut names: Vec<&'static str> = names.filter(|name| of_plight.contains(name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// White's corner of seven stones is dead; Black has the board.
    const DEAD_CORNER: &str = "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . X . . . . . X . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        X X X X . . . . . . .
        O O O X . . . . . . .
        . . O X . . . . . . .
        X . O X . . . . X . .
        . O O X . . . . . . .
    ";

    #[test]
    fn who_is_ahead_makes_sure_and_who_is_behind_tries() {
        for (style, to_move, wanted) in [
            ("finishing=yes", Color::Black, "finish"),
            ("desperate=yes", Color::White, "help-hopeless"),
            ("desperate=yes", Color::White, "bluff"),
        ] {
            let told = told(DEAD_CORNER, None, to_move, style);
            assert!(told.contains(&wanted), "{style}: {told:?}");
        }
    }

    #[test]
    fn a_dead_group_that_was_touched_is_answered() {
        let touched = told(DEAD_CORNER, Some("B3"), Color::Black, "finishing=yes");
        assert!(touched.contains(&"answer-touched"), "{touched:?}");
        let elsewhere = told(DEAD_CORNER, Some("F9"), Color::Black, "finishing=yes");
        assert!(!elsewhere.contains(&"answer-touched"), "{elsewhere:?}");
    }

    #[test]
    fn nobody_does_so_in_the_style_of_ishi_or_the_other_way_round() {
        for to_move in Color::ALL {
            assert_eq!(told(DEAD_CORNER, None, to_move, "ishi"), [""; 0]);
        }
        assert!(!told(DEAD_CORNER, None, Color::White, "many-faces").contains(&"finish"));
        assert!(!told(DEAD_CORNER, None, Color::Black, "many-faces").contains(&"bluff"));
    }
}
