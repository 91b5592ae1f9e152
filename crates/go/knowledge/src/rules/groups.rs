//! Life and death, attack and escape: what is known of groups.

use ishi_go::Point;
use ishi_reading::PointSet;

use super::{Condition, Found, Rule, View, rule};
use crate::eyes::{EYE, EyeKind, EyeSpace, HALF, TWO_EYES};
use crate::groups::Group;
use crate::oracle::Strength;
use crate::reasons::{Family, Reason};
use crate::style::{EscapePoints, Finishing, PotentialEyes};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("live", Family::Life, 8.0, "makes the group at {about} live ({count} stones): {sequence}", "{about}の{count}子が生きます（{sequence}）", Condition::Find(live)),
    rule("kill", Family::Life, 8.0, "kills the group at {about} ({count} stones): {sequence}", "{about}の{count}子を殺します（{sequence}）", Condition::Find(kill)),
    rule("vital-point", Family::Life, 3.0, "takes the vital point of the eye space at {about}", "{about}の眼形の急所です", Condition::Find(vital_point)),
    rule("own-vital-point", Family::Life, 3.0, "makes two eyes of the space at {about}", "{about}の急所を守って二眼を作ります", Condition::Find(own_vital_point)),
    rule("false-eye", Family::Life, 2.0, "makes the eye at {about} false", "{about}を欠け眼にします", Condition::Find(false_eye)),
    rule("protect-eye", Family::Life, 2.0, "makes the eye at {about} real", "{about}の眼を確かにします", Condition::Find(protect_eye)),
    rule("take-eye", Family::Life, 2.0, "keeps an eye from being made at {about}", "{about}に眼を作らせません", Condition::Read),
    rule("make-eye", Family::Life, 2.0, "makes an eye at {about}", "{about}に眼を作ります", Condition::Read),
    rule("widen-eye-space", Family::Life, 1.5, "widens the eye space of the weak group at {about} along the edge", "{about}の眼形を広げます", Condition::Find(widen)),
    rule("narrow-eye-space", Family::Life, 1.5, "narrows the eye space of the weak group at {about} from the edge", "{about}の眼形を狭めます", Condition::Find(narrow)),
    rule("run-jump", Family::Run, 3.0, "runs with the weak group at {about} towards the open", "弱い{about}の石を中央へ逃げます", Condition::Find(run)),
    rule("run-knight", Family::Run, 2.5, "slips out with a knight's move from the weak group at {about}", "弱い{about}からケイマで逃げます", Condition::Read),
    rule("run-join", Family::Run, 3.0, "joins the weak group at {about} with the strong stones at {other}", "弱い{about}を強い{other}につなげます", Condition::Find(join)),
    rule("base", Family::Run, 3.0, "gives the weak group at {about} a base on the side", "{about}に根拠を作ります", Condition::Find(base)),
    rule("attack-cap", Family::Attack, 3.0, "caps the weak group at {about}", "弱い{about}にボウシします", Condition::Find(cap)),
    rule("attack-away", Family::Attack, 2.0, "attacks the weak group at {about} from where it wants to go", "弱い{about}の行き先から攻めます", Condition::Read),
    rule("attack-base", Family::Attack, 3.0, "takes the base of the weak group at {about}", "弱い{about}の根拠を奪います", Condition::Find(take_base)),
    rule("answer-dead", Family::Strategy, 1.5, "answers at the dead group at {about}, that was touched", "死んでいる{about}への手に受けます", Condition::Find(answer_dead)),
    rule("potential-eye", Family::Life, 2.5, "could make an eye for the weak group at {about}", "弱い{about}の眼形の余地です", Condition::Find(potential_eye)),
    rule("take-potential-eye", Family::Life, 2.5, "takes the point where the weak group at {about} could make an eye", "弱い{about}の眼形の余地を奪います", Condition::Find(take_potential_eye)),
    rule("way-out", Family::Run, 2.0, "leads the weak group at {about} out", "弱い{about}の脱出口です", Condition::Find(way_out)),
    rule("close-way-out", Family::Attack, 2.0, "stands in the way of the weak group at {about}", "弱い{about}の脱出口をふさぎます", Condition::Find(close_way_out)),
    rule("isolate", Family::Attack, 2.5, "keeps the weak group at {about} from its friends at {other}", "弱い{about}と{other}の連絡を断ちます", Condition::Find(isolate)),
];

/// A group with fewer liberties and no two eyes is weak.
const WEAK_LIBERTIES: usize = 8;

fn value_of(group: &Group) -> f64 {
    1.6 * group.stones.len() as f64 + 0.4 * group.liberties.len() as f64
}

fn own<'a>(view: &View<'a>) -> Vec<&'a Group> {
    view.analysis.groups.iter().filter(|group| group.color == view.color).collect()
}

fn enemies<'a>(view: &View<'a>) -> Vec<&'a Group> {
    view.analysis.groups.iter().filter(|group| group.color != view.color).collect()
}

/// Neither dead nor alive, without much room.
fn is_weak(group: &Group) -> bool {
    let open = matches!(group.strength, Strength::Critical | Strength::Weak | Strength::Unsettled);
    open && group.eyes.second < TWO_EYES && group.liberties.len() < WEAK_LIBERTIES && group.stones.len() > 1
}

/// Does the next move decide about more than captures, of which other rules speak?
fn is_critical(group: &Group) -> bool {
    group.strength == Strength::Critical && !group.by_capture
}

fn live(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in own(view).into_iter().filter(|group| is_critical(group)) {
        if let Some(mv) = group.fate.and_then(|fate| fate.save) {
            let reason = Reason::of(rule).about(group.name()).count(group.stones.len());
            out.suggest(view, mv, reason.plus(value_of(group)));
        }
    }
}

fn kill(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in enemies(view).into_iter().filter(|group| is_critical(group)) {
        if let Some(mv) = group.fate.and_then(|fate| fate.kill) {
            let reason = Reason::of(rule).about(group.name()).count(group.stones.len());
            out.suggest(view, mv, reason.plus(value_of(group)));
        }
    }
}

/// Spaces of one side with an empty point that decides what they are worth.
fn open_spaces<'v>(view: &'v View<'_>, of_own: bool) -> impl Iterator<Item = (&'v EyeSpace, Point)> {
    let spaces = view.analysis.spaces.iter().filter(move |space| (space.color == view.color) == of_own);
    spaces.flat_map(|space| {
        let free = space.vital.iter().filter(|&&vital| view.is_empty(vital));
        free.map(move |&vital| (space, vital))
    })
}

/// Points that decide whether a space is two eyes, and groups beside it that are not settled.
fn vital_points(view: &View<'_>, of_own: bool) -> Vec<(Point, Point)> {
    open_spaces(view, of_own)
        .filter(|(space, _)| space.eyes.first > EYE)
        .filter_map(|(space, vital)| {
            let group = beside(view, &space.points, space.color)?;
            (group.strength <= Strength::Stable && group.eyes.second < TWO_EYES)
                .then(|| (vital, group.name()))
        })
        .collect()
}

fn beside<'a>(view: &View<'a>, points: &PointSet, color: ishi_go::Color) -> Option<&'a Group> {
    let around = points.grown();
    view.analysis.groups.iter().find(|group| group.color == color && !group.stones.and(&around).is_empty())
}

fn vital_point(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (vital, name) in vital_points(view, false) {
        out.suggest(view, vital, Reason::of(rule).about(name));
    }
}

fn own_vital_point(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (vital, name) in vital_points(view, true) {
        out.suggest(view, vital, Reason::of(rule).about(name));
    }
}

/// Points that decide whether a space is an eye, with the space.
fn deciding<'v>(view: &'v View<'_>, of_own: bool) -> impl Iterator<Item = (Point, &'v EyeSpace)> {
    open_spaces(view, of_own)
        .filter(|(space, _)| space.eyes.second < EYE && (EYE..EYE + HALF).contains(&space.eyes.first))
        .filter(|(space, _)| beside(view, &space.points, space.color).is_some_and(is_weak))
        .map(|(space, vital)| (vital, space))
}

/// Only what is an eye already, but for its corners, is made false or real.
fn suggest_eyes(view: &View<'_>, of_own: bool, [corner, other]: [&'static Rule; 2], out: &mut Found) {
    for (mv, space) in deciding(view, of_own) {
        let rule = if space.kind == EyeKind::Single { corner } else { other };
        if let Some(point) = space.points.first() {
            out.suggest(view, mv, Reason::of(rule).about(point));
        }
    }
}

fn false_eye(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_eyes(view, false, [rule, super::named("take-eye")], out);
}

fn protect_eye(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_eyes(view, true, [rule, super::named("make-eye")], out);
}

/// Liberties of a group on the first two lines.
fn low_liberties(view: &View<'_>, group: &Group) -> Vec<Point> {
    group.liberties.iter().filter(|&point| view.line(point) <= 2 && view.stones_near(point, 2) < 12).collect()
}

fn widen(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in own(view).into_iter().filter(|group| is_weak(group)) {
        for mv in low_liberties(view, group) {
            out.suggest(view, mv, Reason::of(rule).about(group.name()));
        }
    }
}

fn narrow(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in enemies(view).into_iter().filter(|group| is_weak(group)) {
        for mv in low_liberties(view, group) {
            if mv.neighbours().into_iter().any(|n| view.is_own(n)) {
                out.suggest(view, mv, Reason::of(rule).about(group.name()));
            }
        }
    }
}

/// Jumps away from a group into the open: one point or a knight's move, with nobody near.
fn ways_out(view: &View<'_>, group: &Group) -> Vec<(Point, bool)> {
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
            let freer = view.line(to) > view.line(stone) && view.line(to) >= 4;
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

fn run(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in own(view).into_iter().filter(|group| is_weak(group)) {
        for (mv, knight) in ways_out(view, group) {
            let named = if knight { super::named("run-knight") } else { rule };
            out.suggest(
                view,
                mv,
                Reason::of(named).about(group.name()).plus(0.4 * group.stones.len() as f64),
            );
        }
    }
}

fn cap(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in enemies(view).into_iter().filter(|group| is_weak(group)) {
        for (mv, knight) in ways_out(view, group) {
            let named = if knight { super::named("attack-away") } else { rule };
            out.suggest(
                view,
                mv,
                Reason::of(named).about(group.name()).plus(0.3 * group.stones.len() as f64),
            );
        }
    }
}

/// A common liberty of a weak group and a stronger one of its colour.
fn joints(view: &View<'_>, of_own: bool) -> Vec<(Point, Point, Point)> {
    let groups = if of_own { own(view) } else { enemies(view) };
    let mut found = Vec::new();
    for weak in groups.iter().filter(|group| is_weak(group)) {
        for strong in groups.iter().filter(|group| group.liberties.len() >= WEAK_LIBERTIES) {
            found.extend(
                weak.liberties.and(&strong.liberties).iter().map(|mv| (mv, weak.name(), strong.name())),
            );
        }
    }
    found
}

fn join(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (mv, weak, strong) in joints(view, true) {
        out.suggest(view, mv, Reason::of(rule).about(weak).with(strong));
    }
}

fn isolate(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (mv, weak, strong) in joints(view, false) {
        // What is taken is not kept from anything.
        if !view.takes(mv, weak) && !view.takes(mv, strong) {
            out.suggest(view, mv, Reason::of(rule).about(weak).with(strong));
        }
    }
}

/// Points on the second and third line, two or three away from a weak group's stones there, with room around.
fn bases(view: &View<'_>, group: &Group) -> Vec<Point> {
    let low = |stone: &Point| (2..=4).contains(&view.line(*stone));
    let mut found = Vec::new();
    for stone in group.stones.iter().filter(low) {
        for point in view.board.size().points() {
            let apart = point.steps_to(stone);
            let along = point.column() == stone.column() || point.row() == stone.row();
            let fits = (2..=3).contains(&apart) && along && (2..=3).contains(&view.line(point));
            if fits && view.is_empty(point) && view.stones_near(point, 1) == 0 {
                found.push(point);
            }
        }
    }
    found.sort_by_key(|point| point.index());
    found.dedup();
    found
}

fn base(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in own(view).into_iter().filter(|group| is_weak(group)) {
        for mv in bases(view, group) {
            out.suggest(view, mv, Reason::of(rule).about(group.name()));
        }
    }
}

fn take_base(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for group in enemies(view).into_iter().filter(|group| is_weak(group)) {
        for mv in bases(view, group) {
            out.suggest(view, mv, Reason::of(rule).about(group.name()));
        }
    }
}

/// Of the potential eyes or ways out of a group so many are suggested.
const SUGGESTED: usize = 2;

/// The best places where weak groups could make eyes; in the style that finds the document's five types of them.
fn suggest_potential(view: &View<'_>, rule: &'static Rule, of_own: bool, out: &mut Found) {
    if view.analysis.style.potential == PotentialEyes::Seen {
        return;
    }
    let groups = if of_own { own(view) } else { enemies(view) };
    for group in groups.into_iter().filter(|group| is_weak(group)) {
        for way in group.potential.iter().take(SUGGESTED) {
            let value = 0.2 * group.stones.len() as f64 + f64::from(way.gain) / f64::from(EYE);
            out.suggest(view, way.mv, Reason::of(rule).about(group.name()).plus(value));
        }
    }
}

fn potential_eye(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_potential(view, rule, true, out);
}

fn take_potential_eye(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_potential(view, rule, false, out);
}

/// The best ways out of weak groups; in the style that lists all of them.
fn suggest_escapes(view: &View<'_>, rule: &'static Rule, of_own: bool, out: &mut Found) {
    if view.analysis.style.escapes == EscapePoints::Best {
        return;
    }
    let groups = if of_own { own(view) } else { enemies(view) };
    for group in groups.into_iter().filter(|group| is_weak(group)) {
        for way in group.escapes.iter().take(SUGGESTED) {
            let value = 0.2 * group.stones.len() as f64 + f64::from(way.worth()) / 2.0;
            out.suggest(view, way.point, Reason::of(rule).about(group.name()).plus(value));
        }
    }
}

fn way_out(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_escapes(view, rule, true, out);
}

fn close_way_out(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    suggest_escapes(view, rule, false, out);
}

/// The opponent has played beside its own dead group: is the kill still sure?
fn answer_dead(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    // In a style that finishes what is dead, `answer-touched` speaks of such moves.
    let Some(last) = view.last.filter(|_| view.analysis.style.finishing == Finishing::No) else { return };
    let near = PointSet::of(last).grown().grown();
    for group in enemies(view).into_iter().filter(|group| is_critical(group)) {
        if !group.stones.and(&near).is_empty()
            && let Some(mv) = group.fate.and_then(|fate| fate.kill)
        {
            out.suggest(view, mv, Reason::of(rule).about(group.name()));
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
