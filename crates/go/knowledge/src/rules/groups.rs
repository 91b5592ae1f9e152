//! Life and death, attack and escape: what is known of groups.

use ishi_go::Point;
use ishi_reading::PointSet;

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::eyes::{EYE, EyeKind, EyeSpace, HALF, TWO_EYES};
use crate::groups::Group;
use crate::oracle::GroupStrength;
use crate::reasons::{Reason, RuleFamily};
use crate::style::{EscapePoints, Finishing, PotentialEyes};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("live", RuleFamily::Life, 8.0, "makes the group at {about} live ({count} stones): {sequence}", "{about}の{count}子を活かします（{sequence}）", Condition::Find(suggest_living)),
    new_rule("kill", RuleFamily::Life, 8.0, "kills the group at {about} ({count} stones): {sequence}", "{about}の{count}子を殺します（{sequence}）", Condition::Find(suggest_killing)),
    new_rule("vital-point", RuleFamily::Life, 3.0, "takes the vital point of the eye space at {about}", "{about}の眼形の急所です", Condition::Find(suggest_enemy_vital_points)),
    new_rule("own-vital-point", RuleFamily::Life, 3.0, "makes two eyes of the space at {about}", "{about}の急所を守って二眼を作ります", Condition::Find(suggest_own_vital_points)),
    new_rule("false-eye", RuleFamily::Life, 2.0, "makes the eye at {about} false", "{about}を欠け眼にします", Condition::Find(suggest_false_eyes)),
    new_rule("protect-eye", RuleFamily::Life, 2.0, "makes the eye at {about} real", "{about}の眼を確かにします", Condition::Find(suggest_eye_protection)),
    new_rule("take-eye", RuleFamily::Life, 2.0, "keeps an eye from being made at {about}", "{about}に眼を作らせません", Condition::Read),
    new_rule("make-eye", RuleFamily::Life, 2.0, "makes an eye at {about}", "{about}に眼を作ります", Condition::Read),
    new_rule("widen-eye-space", RuleFamily::Life, 1.5, "widens the eye space of the weak group at {about} along the edge", "{about}の眼形を広げます", Condition::Find(suggest_widening)),
    new_rule("narrow-eye-space", RuleFamily::Life, 1.5, "narrows the eye space of the weak group at {about} from the edge", "{about}の眼形を狭めます", Condition::Find(suggest_narrowing)),
    new_rule("run-jump", RuleFamily::Run, 3.0, "runs with the weak group at {about} towards the open", "弱い{about}の石を中央へ逃げます", Condition::Find(suggest_running)),
    new_rule("run-knight", RuleFamily::Run, 2.5, "slips out with a knight's move from the weak group at {about}", "弱い{about}からケイマで逃げます", Condition::Read),
    new_rule("run-join", RuleFamily::Run, 3.0, "joins the weak group at {about} with the strong stones at {other}", "弱い{about}の石を強い{other}の石につなぎます", Condition::Find(suggest_joining)),
    new_rule("base", RuleFamily::Run, 3.0, "gives the weak group at {about} a base on the side", "{about}に根拠を作ります", Condition::Find(suggest_base)),
    new_rule("attack-cap", RuleFamily::Attack, 3.0, "caps the weak group at {about}", "弱い{about}にボウシします", Condition::Find(suggest_capping)),
    new_rule("attack-away", RuleFamily::Attack, 2.0, "attacks the weak group at {about} from where it wants to go", "弱い{about}の行き先から攻めます", Condition::Read),
    new_rule("attack-base", RuleFamily::Attack, 3.0, "takes the base of the weak group at {about}", "弱い{about}の根拠を奪います", Condition::Find(suggest_taking_base)),
    new_rule("answer-dead", RuleFamily::Strategy, 1.5, "answers at the dead group at {about}, that was touched", "死んでいる{about}への手に受けます", Condition::Find(suggest_answer_beside_dead)),
    new_rule("potential-eye", RuleFamily::Life, 2.5, "could make an eye for the weak group at {about}", "弱い{about}の眼形の余地です", Condition::Find(suggest_own_potential)),
    new_rule("take-potential-eye", RuleFamily::Life, 2.5, "takes the point where the weak group at {about} could make an eye", "弱い{about}の眼形の余地を奪います", Condition::Find(suggest_taking_potential)),
    new_rule("way-out", RuleFamily::Run, 2.0, "leads the weak group at {about} out", "弱い{about}の脱出口です", Condition::Find(suggest_own_escapes)),
    new_rule("close-way-out", RuleFamily::Attack, 2.0, "stands in the way of the weak group at {about}", "弱い{about}の脱出口をふさぎます", Condition::Find(suggest_closing_escapes)),
    new_rule("isolate", RuleFamily::Attack, 2.5, "keeps the weak group at {about} from its friends at {other}", "弱い{about}と{other}の連絡を断ちます", Condition::Find(suggest_isolating)),
];

/// A group with fewer liberties and no two eyes is weak.
const WEAK_LIBERTIES: usize = 8;

fn group_worth(group: &Group) -> f64 {
    1.6 * group.stones.len() as f64 + 0.4 * group.liberties.len() as f64
}

fn own_groups<'a>(view: &RuleContext<'a>) -> Vec<&'a Group> {
    view.analysis.groups.iter().filter(|group| group.color == view.color).collect()
}

fn enemy_groups<'a>(view: &RuleContext<'a>) -> Vec<&'a Group> {
    view.analysis.groups.iter().filter(|group| group.color != view.color).collect()
}

/// Neither dead nor alive, without much room.
fn is_weak(group: &Group) -> bool {
    let open =
        matches!(group.strength, GroupStrength::Critical | GroupStrength::Weak | GroupStrength::Unsettled);
    open && group.eyes.second < TWO_EYES && group.liberties.len() < WEAK_LIBERTIES && group.stones.len() > 1
}

/// Does the next move decide about more than captures, of which other rules speak?
fn is_critical(group: &Group) -> bool {
    group.strength == GroupStrength::Critical && !group.by_capture
}

fn suggest_living(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in own_groups(view).into_iter().filter(|group| is_critical(group)) {
        if let Some(mv) = group.fate.and_then(|fate| fate.save) {
            let reason = Reason::for_rule(rule).about_stone(group.name()).with_count(group.stones.len());
            out.suggest(view, mv, reason.with_added_value(group_worth(group)));
        }
    }
}

fn suggest_killing(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in enemy_groups(view).into_iter().filter(|group| is_critical(group)) {
        if let Some(mv) = group.fate.and_then(|fate| fate.kill) {
            let reason = Reason::for_rule(rule).about_stone(group.name()).with_count(group.stones.len());
            out.suggest(view, mv, reason.with_added_value(group_worth(group)));
        }
    }
}

/// Spaces of one side with an empty point that decides what they are worth.
fn open_spaces<'v>(view: &'v RuleContext<'_>, of_own: bool) -> impl Iterator<Item = (&'v EyeSpace, Point)> {
    let spaces = view.analysis.spaces.iter().filter(move |space| (space.color == view.color) == of_own);
    spaces.flat_map(|space| {
        let free = space.vital.iter().filter(|&&vital| view.is_empty(vital));
        free.map(move |&vital| (space, vital))
    })
}

/// Points that decide whether a space is two eyes, and groups beside it that are not settled.
fn vital_points(view: &RuleContext<'_>, of_own: bool) -> Vec<(Point, Point)> {
    open_spaces(view, of_own)
        .filter(|(space, _)| space.eyes.first > EYE)
        .filter_map(|(space, vital)| {
            let group = group_beside(view, &space.points, space.color)?;
            (group.strength <= GroupStrength::Stable && group.eyes.second < TWO_EYES)
                .then(|| (vital, group.name()))
        })
        .collect()
}

fn group_beside<'a>(view: &RuleContext<'a>, points: &PointSet, color: ishi_go::Color) -> Option<&'a Group> {
    let around = points.with_neighbours();
    view.analysis
        .groups
        .iter()
        .find(|group| group.color == color && !group.stones.intersection(&around).is_empty())
}

fn suggest_enemy_vital_points(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (vital, name) in vital_points(view, false) {
        out.suggest(view, vital, Reason::for_rule(rule).about_stone(name));
    }
}

fn suggest_own_vital_points(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (vital, name) in vital_points(view, true) {
        out.suggest(view, vital, Reason::for_rule(rule).about_stone(name));
    }
}

/// Points that decide whether a space is an eye, with the space.
fn eye_deciding_points<'v>(
    view: &'v RuleContext<'_>,
    of_own: bool,
) -> impl Iterator<Item = (Point, &'v EyeSpace)> {
    open_spaces(view, of_own)
        .filter(|(space, _)| space.eyes.second < EYE && (EYE..EYE + HALF).contains(&space.eyes.first))
        .filter(|(space, _)| group_beside(view, &space.points, space.color).is_some_and(is_weak))
        .map(|(space, vital)| (vital, space))
}

/// Only what is an eye already, but for its corners, is made false or real.
fn suggest_eyes(
    view: &RuleContext<'_>,
    of_own: bool,
    [corner, other]: [&'static Rule; 2],
    out: &mut RuleFindings,
) {
    for (mv, space) in eye_deciding_points(view, of_own) {
        let rule = if space.kind == EyeKind::Single { corner } else { other };
        if let Some(point) = space.points.first() {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(point));
        }
    }
}

fn suggest_false_eyes(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_eyes(view, false, [rule, super::rule_named("take-eye")], out);
}

fn suggest_eye_protection(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_eyes(view, true, [rule, super::rule_named("make-eye")], out);
}

/// Liberties of a group on the first two lines.
fn low_liberties(view: &RuleContext<'_>, group: &Group) -> Vec<Point> {
    group
        .liberties
        .iter()
        .filter(|&point| view.line_of(point) <= 2 && view.stones_near(point, 2) < 12)
        .collect()
}

fn suggest_widening(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in own_groups(view).into_iter().filter(|group| is_weak(group)) {
        for mv in low_liberties(view, group) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(group.name()));
        }
    }
}

fn suggest_narrowing(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in enemy_groups(view).into_iter().filter(|group| is_weak(group)) {
        for mv in low_liberties(view, group) {
            if mv.neighbours().into_iter().any(|n| view.is_own(n)) {
                out.suggest(view, mv, Reason::for_rule(rule).about_stone(group.name()));
            }
        }
    }
}

/// Jumps away from a group into the open: one point or a knight's move, with nobody near.
fn jumps_away(view: &RuleContext<'_>, group: &Group) -> Vec<(Point, bool)> {
    const JUMPS: [(i8, i8, bool); 12] = [
        (2, 0, false),
        (-2, 0, false),
        (0, 2, false),
        (0, -2, false),
        (2, 1, true),
        (2, -1, true),
        (-2, 1, true),
        (-2, -1, true),
        (1, 2, true),
        (-1, 2, true),
        (1, -2, true),
        (-1, -2, true),
    ];
    let size = view.board.size();
    let mut found: Vec<(Point, bool)> = Vec::new();
    for stone in group.stones.iter() {
        for (x, y, knight) in JUMPS {
            let (Some(column), Some(row)) =
                (stone.column().checked_add_signed(x.into()), stone.row().checked_add_signed(y.into()))
            else {
                continue;
            };
            if column >= size.width() || row >= size.height() {
                continue;
            }
            let to = Point::new(column, row);
            let freer = view.line_of(to) > view.line_of(stone) && view.line_of(to) >= 4;
            let between = Point::new(
                stone.column().wrapping_add_signed((x / 2).into()),
                stone.row().wrapping_add_signed((y / 2).into()),
            );
            if freer && view.is_empty(to) && view.is_empty(between) && view.stones_near(to, 1) == 0 {
                found.push((to, knight));
            }
        }
    }
    found.sort_by_key(|(point, _)| point.index());
    found.dedup_by_key(|(point, _)| point.index());
    found
}

fn suggest_running(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in own_groups(view).into_iter().filter(|group| is_weak(group)) {
        for (mv, knight) in jumps_away(view, group) {
            let named = if knight { super::rule_named("run-knight") } else { rule };
            out.suggest(
                view,
                mv,
                Reason::for_rule(named)
                    .about_stone(group.name())
                    .with_added_value(0.4 * group.stones.len() as f64),
            );
        }
    }
}

fn suggest_capping(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in enemy_groups(view).into_iter().filter(|group| is_weak(group)) {
        for (mv, knight) in jumps_away(view, group) {
            let named = if knight { super::rule_named("attack-away") } else { rule };
            out.suggest(
                view,
                mv,
                Reason::for_rule(named)
                    .about_stone(group.name())
                    .with_added_value(0.3 * group.stones.len() as f64),
            );
        }
    }
}

/// A common liberty of a weak group and a stronger one of its colour.
fn joining_points(view: &RuleContext<'_>, of_own: bool) -> Vec<(Point, Point, Point)> {
    let groups = if of_own { own_groups(view) } else { enemy_groups(view) };
    let mut found = Vec::new();
    for weak in groups.iter().filter(|group| is_weak(group)) {
        for strong in groups.iter().filter(|group| group.liberties.len() >= WEAK_LIBERTIES) {
            found.extend(
                weak.liberties
                    .intersection(&strong.liberties)
                    .iter()
                    .map(|mv| (mv, weak.name(), strong.name())),
            );
        }
    }
    found
}

fn suggest_joining(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (mv, weak, strong) in joining_points(view, true) {
        out.suggest(view, mv, Reason::for_rule(rule).about_stone(weak).with_other_stone(strong));
    }
}

fn suggest_isolating(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (mv, weak, strong) in joining_points(view, false) {
        // What is taken is not kept from anything.
        if !view.takes_stone(mv, weak) && !view.takes_stone(mv, strong) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(weak).with_other_stone(strong));
        }
    }
}

/// Points on the second and third line, two or three away from a weak group's stones there, with room around.
fn base_points(view: &RuleContext<'_>, group: &Group) -> Vec<Point> {
    let low = |stone: &Point| (2..=4).contains(&view.line_of(*stone));
    let mut found = Vec::new();
    for stone in group.stones.iter().filter(low) {
        for point in view.board.size().points() {
            let apart = point.steps_to(stone);
            let along = point.column() == stone.column() || point.row() == stone.row();
            let fits = (2..=3).contains(&apart) && along && (2..=3).contains(&view.line_of(point));
            if fits && view.is_empty(point) && view.stones_near(point, 1) == 0 {
                found.push(point);
            }
        }
    }
    found.sort_by_key(|point| point.index());
    found.dedup();
    found
}

fn suggest_base(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in own_groups(view).into_iter().filter(|group| is_weak(group)) {
        for mv in base_points(view, group) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(group.name()));
        }
    }
}

fn suggest_taking_base(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for group in enemy_groups(view).into_iter().filter(|group| is_weak(group)) {
        for mv in base_points(view, group) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(group.name()));
        }
    }
}

/// How many of the potential eyes or ways out of a group are suggested.
const SUGGESTED: usize = 2;

/// The best places where weak groups could make eyes; in the style that finds the document's five types of them.
fn suggest_potential(view: &RuleContext<'_>, rule: &'static Rule, of_own: bool, out: &mut RuleFindings) {
    if view.analysis.style.potential == PotentialEyes::Seen {
        return;
    }
    let groups = if of_own { own_groups(view) } else { enemy_groups(view) };
    for group in groups.into_iter().filter(|group| is_weak(group)) {
        for way in group.potential.iter().take(SUGGESTED) {
            let value = 0.2 * group.stones.len() as f64 + f64::from(way.gain) / f64::from(EYE);
            out.suggest(
                view,
                way.mv,
                Reason::for_rule(rule).about_stone(group.name()).with_added_value(value),
            );
        }
    }
}

fn suggest_own_potential(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_potential(view, rule, true, out);
}

fn suggest_taking_potential(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_potential(view, rule, false, out);
}

/// The best ways out of weak groups; in the style that lists all of them.
fn suggest_escapes(view: &RuleContext<'_>, rule: &'static Rule, of_own: bool, out: &mut RuleFindings) {
    if view.analysis.style.escapes == EscapePoints::Best {
        return;
    }
    let groups = if of_own { own_groups(view) } else { enemy_groups(view) };
    for group in groups.into_iter().filter(|group| is_weak(group)) {
        for way in group.escapes.iter().take(SUGGESTED) {
            let value = 0.2 * group.stones.len() as f64 + f64::from(way.worth()) / 2.0;
            out.suggest(
                view,
                way.point,
                Reason::for_rule(rule).about_stone(group.name()).with_added_value(value),
            );
        }
    }
}

fn suggest_own_escapes(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_escapes(view, rule, true, out);
}

fn suggest_closing_escapes(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    suggest_escapes(view, rule, false, out);
}

/// The opponent has played beside its own dead group: is the kill still sure?
fn suggest_answer_beside_dead(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    // In a style that finishes what is dead, `answer-touched` speaks of such moves.
    let Some(last) = view.last.filter(|_| view.analysis.style.finishing == Finishing::No) else { return };
    let near = PointSet::from_point(last).with_neighbours().with_neighbours();
    for group in enemy_groups(view).into_iter().filter(|group| is_critical(group)) {
        if !group.stones.intersection(&near).is_empty()
            && let Some(mv) = group.fate.and_then(|fate| fate.kill)
        {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(group.name()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::said;

    #[test]
    fn stones_that_are_taken_are_not_kept_from_others() {
        let rows = |left: &str| {
            format!(
                ". . . . . . . . .
                 . . . . . . . . .
                 . . . . . . . . .
                 . . . O . . . . .
                 . . X O . O . . .
                 . {left} O . . . . . .
                 . X O X . . . . .
                 . . X . . . . . .
                 . . . . . . . . ."
            )
        };
        let parted = |left: &str| -> Vec<String> {
            let said = said(&rows(left), None, "D4");
            said.into_iter().filter(|text| text.contains("friends") || text.contains("cuts C4")).collect()
        };
        let open = ["cuts C4 from D5 at the hane", "keeps the weak group at C3 from its friends at D5"];
        assert_eq!(parted("."), open);
        assert_eq!(parted("X"), [""; 0]);
    }
}
