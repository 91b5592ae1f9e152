//! Corners, sides, invasions, moyos: whole-board moves of the opening and the middle game.

use std::sync::LazyLock;

use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::{Joseki, JosekiBranch, MoveKind, round_to_two_digits};
use ishi_patterns::joseki::corner::{self, CornerHashes, CornerMove};

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::groups::Group;
use crate::reasons::{Reason, RuleFamily};
use crate::strategy::{GameBalance, GamePhase};
use crate::style::Variations;

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("corner-star", RuleFamily::Corner, 18.0, "takes an empty corner at the star point", "空き隅の星に打ちます", Condition::Find(suggest_empty_corners)),
    new_rule("corner-small-point", RuleFamily::Corner, 18.0, "takes an empty corner at the 3-4 point", "空き隅の小目に打ちます", Condition::Read),
    new_rule("corner-high-point", RuleFamily::Corner, 16.0, "takes an empty corner at the 5-4 point", "空き隅の高目に打ちます", Condition::Read),
    new_rule("corner-outside-point", RuleFamily::Corner, 16.0, "takes an empty corner at the 5-3 point", "空き隅の目外しに打ちます", Condition::Read),
    new_rule("corner-three-three", RuleFamily::Corner, 16.0, "takes an empty corner at the 3-3 point", "空き隅の三々に打ちます", Condition::Read),
    new_rule("enclosure-small-knight", RuleFamily::Corner, 12.0, "encloses the corner with {about} by a small knight's move", "{about}から小ゲイマにシマります", Condition::Find(suggest_enclosures)),
    new_rule("enclosure-one-point", RuleFamily::Corner, 12.0, "encloses the corner with {about} by a one-point jump", "{about}から一間にシマります", Condition::Read),
    new_rule("enclosure-large-knight", RuleFamily::Corner, 11.0, "encloses the corner with {about} by a large knight's move", "{about}から大ゲイマにシマります", Condition::Read),
    new_rule("enclosure-two-point", RuleFamily::Corner, 11.0, "encloses the corner with {about} by a two-point jump", "{about}から二間にシマります", Condition::Read),
    new_rule("approach-low", RuleFamily::Corner, 12.0, "approaches the corner stone at {about} low", "{about}へ小ゲイマにカカります", Condition::Find(suggest_approaches)),
    new_rule("approach-high", RuleFamily::Corner, 12.0, "approaches the corner stone at {about} high", "{about}に一間高ガカリします", Condition::Read),
    new_rule("approach-large", RuleFamily::Corner, 10.0, "approaches the corner stone at {about} from further away", "{about}へ大ゲイマにカカります", Condition::Read),
    new_rule("invade-three-three", RuleFamily::Invade, 9.0, "invades the corner under {about} at the 3-3 point", "{about}の三々に入ります", Condition::Find(suggest_three_three)),
    new_rule("joseki", RuleFamily::Joseki, 6.0, "is joseki here, played about {count} times in the games the book was learned from", "ここの定石で、学んだ棋譜に約{count}回あります", Condition::Find(suggest_joseki)),
    new_rule("joseki-urgent", RuleFamily::Joseki, 9.0, "is an answer that joseki knows here, played about {count} times in the book's games", "定石の手で、学んだ棋譜で約{count}回打たれています", Condition::Read),
    new_rule("side-star", RuleFamily::Side, 9.0, "takes the big point in the middle of an open side", "広い辺の大場に打ちます", Condition::Find(suggest_side_points)),
    new_rule("extend-two", RuleFamily::Side, 7.0, "extends two points along the side from {about}", "{about}から二間にヒラキます", Condition::Find(suggest_extensions)),
    new_rule("extend-three", RuleFamily::Side, 7.5, "extends three points along the side from {about}", "{about}から三間にヒラキます", Condition::Read),
    new_rule("extend-wide", RuleFamily::Side, 7.0, "extends along the side from {about}", "{about}から大きくヒラキます", Condition::Read),
    new_rule("extend-between", RuleFamily::Side, 7.0, "fills the gap on the side between {about} and {other}", "{about}と{other}の間にヒラキます", Condition::Read),
    new_rule("pincer-close", RuleFamily::Side, 7.0, "pincers {about} from close by", "{about}を一間に挟みます", Condition::Find(suggest_pincers)),
    new_rule("pincer-two", RuleFamily::Side, 7.0, "pincers {about} from two points away", "{about}を二間に挟みます", Condition::Read),
    new_rule("pincer-wide", RuleFamily::Side, 6.5, "pincers {about} from further away", "{about}を広く挟みます", Condition::Read),
    new_rule("extend-and-pincer", RuleFamily::Side, 9.0, "extends from {other} and pincers {about} at the same time", "{other}からのヒラキと{about}への挟みを兼ねます", Condition::Read),
    new_rule("approach-side", RuleFamily::Side, 6.5, "approaches {about} along the side", "{about}に辺からツメます", Condition::Read),
    new_rule("extend-and-approach", RuleFamily::Side, 8.5, "extends from {other} and approaches {about} at the same time", "{other}からヒラいて{about}にツメます", Condition::Read),
    new_rule("invade-side", RuleFamily::Invade, 6.0, "invades the side between {about} and {other}", "{about}と{other}の間に打ち込みます", Condition::Find(suggest_invasions)),
    new_rule("invade-wide", RuleFamily::Invade, 7.0, "invades the opponent's moyo", "相手の模様に打ち込みます", Condition::Find(suggest_moyo_invasions)),
    new_rule("reduce", RuleFamily::Moyo, 5.0, "reduces the opponent's moyo from above", "相手の模様を消します", Condition::Read),
    new_rule("reduce-cap", RuleFamily::Moyo, 5.5, "caps {about} and reduces the moyo behind it", "{about}にボウシして模様を消します", Condition::Find(suggest_reducing_caps)),
    new_rule("widen-moyo", RuleFamily::Moyo, 5.0, "widens the own moyo", "自分の模様を広げます", Condition::Find(suggest_widening_moyo)),
    new_rule("moyo-junction", RuleFamily::Moyo, 7.0, "stands where both sides' moyos meet", "双方の模様の接点です", Condition::Read),
    new_rule("center-point", RuleFamily::Moyo, 2.0, "looks to the centre from {about}", "{about}から中央へ向かいます", Condition::Find(suggest_center_jumps)),
    new_rule("small-board-center", RuleFamily::Side, 6.0, "takes the middle of the small board", "小さな盤の天元に打ちます", Condition::Find(suggest_on_small_board)),
    new_rule("small-board-point", RuleFamily::Corner, 5.0, "takes a good point of the small board", "小さな盤の要点に打ちます", Condition::Read),
    new_rule("ahead-safe", RuleFamily::Strategy, 1.5, "plays safe beside {about}, being ahead", "優勢なので{about}を堅く守ります", Condition::Find(suggest_safe_links)),
    new_rule("behind-bold", RuleFamily::Strategy, 2.0, "takes a risk, being behind: it enters what the opponent counts on", "劣勢なので勝負に出ます", Condition::Read),
];

/// The four corners: is it on the right, is it at the top?
const CORNERS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// The point so many lines from a corner's two edges; `None` on boards that are too small.
fn corner_point(view: &RuleContext<'_>, [right, top]: [bool; 2], across: usize, up: usize) -> Option<Point> {
    let size = view.board.size();
    if size.width() < 13 || size.height() < 13 {
        return None;
    }
    let column = if right { size.width() - across } else { across - 1 };
    let row = if top { size.height() - up } else { up - 1 };
    Some(Point::new(column, row))
}

/// Lines of a corner's quarter.
const QUARTER: usize = 7;

/// The stones of a corner's quarter.
fn stones_in_quarter(view: &RuleContext<'_>, corner: [bool; 2]) -> Vec<Point> {
    let all = (1..=QUARTER).flat_map(|across| (1..=QUARTER).map(move |up| (across, up)));
    let points = all.filter_map(|(across, up)| corner_point(view, corner, across, up));
    points.filter(|&point| view.board.color(point).is_some()).collect()
}

fn suggest_empty_corners(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    const FIRST: [(usize, usize, &str); 8] = [
        (4, 4, "corner-star"),
        (3, 4, "corner-small-point"),
        (4, 3, "corner-small-point"),
        (5, 4, "corner-high-point"),
        (4, 5, "corner-high-point"),
        (5, 3, "corner-outside-point"),
        (3, 5, "corner-outside-point"),
        (3, 3, "corner-three-three"),
    ];
    for corner in CORNERS {
        if stones_in_quarter(view, corner).is_empty() {
            for (across, up, name) in FIRST {
                if let Some(mv) = corner_point(view, corner, across, up) {
                    out.suggest(view, mv, Reason::for_rule(super::rule_named(name)));
                }
            }
        }
    }
}

/// On boards below 13 lines: the middle, and points on the third and fourth line with nobody near.
fn suggest_on_small_board(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let size = view.board.size();
    let least = size.width().min(size.height());
    if !(7..13).contains(&least) || view.analysis.phase != GamePhase::Opening {
        return;
    }
    let middle = Point::new(size.width() / 2, size.height() / 2);
    for mv in size.points().filter(|&mv| view.is_empty(mv) && view.stones_near(mv, 1) == 0) {
        if mv == middle {
            out.suggest(view, mv, Reason::for_rule(rule));
        } else if (3..=4).contains(&view.line_of(mv)) && view.stones_near(mv, 2) == 0 {
            out.suggest(view, mv, Reason::for_rule(super::rule_named("small-board-point")));
        }
    }
}

/// From a corner stone (lines from both edges) to the move, with the rule's name; mirrored as well.
type CornerOffsets = &'static [((usize, usize), (usize, usize), &'static str)];

/// Corners with one stone, of the side to move or not, and the moves that the table has for it.
fn suggest_by_table(view: &RuleContext<'_>, of_own: bool, table: CornerOffsets, out: &mut RuleFindings) {
    for corner in CORNERS {
        let stones = stones_in_quarter(view, corner);
        let [only] = stones[..] else { continue };
        if view.is_own(only) != of_own {
            continue;
        }
        for &((across, up), (to_across, to_up), name) in table {
            for (from, to) in [((across, up), (to_across, to_up)), ((up, across), (to_up, to_across))] {
                if corner_point(view, corner, from.0, from.1) == Some(only)
                    && let Some(mv) = corner_point(view, corner, to.0, to.1)
                {
                    out.suggest(view, mv, Reason::for_rule(super::rule_named(name)).about_stone(only));
                }
            }
        }
    }
}

fn suggest_enclosures(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    suggest_by_table(
        view,
        true,
        &[
            ((3, 4), (5, 3), "enclosure-small-knight"),
            ((3, 4), (5, 4), "enclosure-one-point"),
            ((3, 4), (6, 3), "enclosure-large-knight"),
            ((3, 4), (6, 4), "enclosure-two-point"),
            ((4, 4), (6, 3), "enclosure-small-knight"),
            ((4, 4), (7, 3), "enclosure-large-knight"),
            ((4, 4), (6, 4), "enclosure-one-point"),
        ],
        out,
    );
}

fn suggest_approaches(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    suggest_by_table(
        view,
        false,
        &[
            ((4, 4), (6, 3), "approach-low"),
            ((4, 4), (6, 4), "approach-high"),
            ((4, 4), (7, 3), "approach-large"),
            ((3, 4), (5, 3), "approach-low"),
            ((3, 4), (5, 4), "approach-high"),
            ((3, 4), (6, 3), "approach-large"),
            ((3, 4), (6, 4), "approach-large"),
            ((3, 5), (3, 3), "approach-low"),
            ((3, 5), (4, 3), "approach-high"),
            ((4, 5), (3, 3), "approach-low"),
            ((4, 5), (4, 3), "approach-low"),
        ],
        out,
    );
}

fn suggest_three_three(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for corner in CORNERS {
        let (Some(star), Some(mv)) = (corner_point(view, corner, 4, 4), corner_point(view, corner, 3, 3))
        else {
            continue;
        };
        let inside = (1..=3).flat_map(|across| (1..=3).map(move |up| (across, up)));
        let is_free = |(across, up)| {
            corner_point(view, corner, across, up).is_none_or(|point| view.board.color(point).is_none())
        };
        if view.is_enemy(star) && inside.clone().all(is_free) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(star));
        }
    }
}

/// The book, unpacked once.
static BOOK: LazyLock<Joseki> = LazyLock::new(Joseki::shipped);

/// What lies beyond these lines is the centre: of no corner, though the book's window of ten lines holds it.
const JOSEKI_LINES: usize = 6;
/// Moves that were played less often are no joseki, yet.
const JOSEKI_COUNT: u32 = 8;
/// Moves of a joseki that are told.
const JOSEKI_LINE: usize = 12;

/// What the book knows of the four corners. A joseki move kind that asks for an answer makes the answer urgent.
fn suggest_joseki(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let size = view.board.size();
    if size.width() != 19 || size.height() != 19 {
        return;
    }
    for number in 0..4 {
        let mut corner = CornerHashes::default();
        let mut stones = 0;
        for point in size.points() {
            if let (Some(place), Some(color)) =
                (corner::corner_points(size, point)[number], view.board.color(point))
            {
                corner.toggle_stone(CornerMove { color, point: place });
                stones += 1;
            }
        }
        let touched = view.last.is_some_and(|last| corner::corner_points(size, last)[number].is_some());
        let cannot_wait = asks_for_answer(view, &corner, number);
        let counts = BOOK.branches(&corner).filter(|(mv, _)| mv.color == view.color);
        let most = counts.map(|(_, branch)| branch.stats.count).max().unwrap_or(0);
        for (mv, branch) in BOOK.branches(&corner).filter(|_| stones > 0) {
            let line = mv.point.column().min(mv.point.row());
            let is_usual = branch.stats.count * VARIATION_SHARE >= most;
            // The kinds of the book are counted, and where much can follow a move counts as hard. What many play is not too hard for anybody.
            let may_play = view.may_play(branch.kind) || branch.kind == MoveKind::Hard && is_usual;
            let usable = may_play && branch.kind != MoveKind::Ignore && line < JOSEKI_LINES;
            if mv.color != view.color || branch.stats.count < JOSEKI_COUNT || !usable {
                continue;
            }
            let named = if touched && stones > 1 { super::rule_named("joseki-urgent") } else { rule };
            let weight = f64::from(branch.stats.count).ln() / 2.0;
            let on_board = |line: Vec<CornerMove>| -> Vec<(Color, Point)> {
                line.iter().map(|mv| (mv.color, corner::board_point(size, number, mv.point))).collect()
            };
            let mut lines =
                joseki_lines(&corner, mv, view.analysis.style.variations).into_iter().map(on_board);
            // The book that ships has rounded counts.
            let count = round_to_two_digits(branch.stats.count) as usize;
            let reason = Reason::for_rule(named)
                .with_count(count)
                .with_added_value(weight)
                .with_sequence(lines.next().unwrap_or_default());
            let reason = Reason { variations: lines.collect(), is_urgent: cannot_wait && is_usual, ..reason };
            out.suggest(view, corner::board_point(size, number, mv.point), reason);
        }
    }
}

/// Was the last move one in this corner after which joseki cannot wait? In the book a move is urgent that nearly everybody answers at
/// once: what cannot wait is the answer.
fn asks_for_answer(view: &RuleContext<'_>, corner: &CornerHashes, number: usize) -> bool {
    let size = view.board.size();
    let Some(point) = view.last.and_then(|last| corner::corner_points(size, last)[number]) else {
        return false;
    };
    let mv = CornerMove { color: !view.color, point };
    let mut before = *corner;
    // Where it has taken stones the corner before it is another one, and not known by it.
    before.toggle_stone(mv);
    BOOK.find_branch(&before, mv).is_some_and(|branch| branch.kind == MoveKind::Urgent)
}

/// Lines that are unfolded of a joseki.
const UNFOLDED: usize = 4;
/// A move is usual, and its variation unfolded, if it was played a third as often as the most usual one.
const VARIATION_SHARE: u32 = 3;

/// How a joseki goes on after a move, the sides in turn: as it was played most often; with its variations, if the style unfolds them,
/// the usual line first.
fn joseki_lines(corner: &CornerHashes, first: CornerMove, variations: Variations) -> Vec<Vec<CornerMove>> {
    let mut spare = match variations {
        Variations::MostPlayed => 0,
        Variations::Unfolded => UNFOLDED - 1,
    };
    let mut corner = *corner;
    corner.toggle_stone(first);
    let mut lines = Vec::new();
    unfold_joseki_lines(&corner, vec![first], &mut spare, &mut lines);
    lines
}

/// Follows the book from a position; `spare` is how many lines more than the usual one there may be.
fn unfold_joseki_lines(
    corner: &CornerHashes,
    line: Vec<CornerMove>,
    spare: &mut usize,
    lines: &mut Vec<Vec<CornerMove>>,
) {
    let color = !line[line.len() - 1].color;
    let is_usual = |(mv, branch): &(CornerMove, &JosekiBranch)| {
        mv.color == color && branch.kind != MoveKind::Bad && branch.stats.count >= JOSEKI_COUNT
    };
    let mut next: Vec<(CornerMove, u32)> = Vec::new();
    if line.len() < JOSEKI_LINE {
        next = BOOK.branches(corner).filter(is_usual).map(|(mv, branch)| (mv, branch.stats.count)).collect();
    }
    // Of moves that were played as often the last counts, as it always has.
    let Some(most) = next.iter().rposition(|(_, count)| next.iter().all(|(_, other)| other <= count)) else {
        lines.push(line);
        return;
    };
    next.swap(0, most);
    let least = next[0].1 / VARIATION_SHARE;
    // Early variations go before late ones: they are chosen before the usual line is followed.
    let others = next[1..].iter().filter(|(_, count)| *count >= least).take(*spare);
    let chosen: Vec<CornerMove> = next[..1].iter().chain(others).map(|(mv, _)| *mv).collect();
    *spare -= chosen.len() - 1;
    for mv in chosen {
        let mut after = *corner;
        after.toggle_stone(mv);
        unfold_joseki_lines(&after, line.iter().copied().chain([mv]).collect(), spare, lines);
    }
}

/// The middles of the sides, on the third and fourth line, with nobody near.
fn suggest_side_points(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let size = view.board.size();
    if size.width() < 13 || size.height() < 13 {
        return;
    }
    let (middle, height) = (size.width() / 2, size.height() / 2);
    for line in [2, 3] {
        let far = [Point::new(middle, line), Point::new(middle, size.height() - 1 - line)];
        let sides = [Point::new(line, height), Point::new(size.width() - 1 - line, height)];
        for mv in far.into_iter().chain(sides) {
            if view.stones_near(mv, 4) == 0 {
                out.suggest(view, mv, Reason::for_rule(rule));
            }
        }
    }
}

/// Along the sides: a stone, the next one in a direction (if any), and the free points between. Lines 3 and 4.
fn stretches_along_sides(view: &RuleContext<'_>) -> Vec<(Point, Option<Point>, Vec<Point>)> {
    let size = view.board.size();
    let mut found = Vec::new();
    let (width, height) = (size.width() as i32, size.height() as i32);
    for stone in size.points().filter(|&point| (3..=4).contains(&view.line_of(point))) {
        if view.board.color(stone).is_none() {
            continue;
        }
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut column, mut row) = (stone.column() as i32 + x, stone.row() as i32 + y);
            let (mut free, mut next) = (Vec::new(), None);
            while (0..width).contains(&column) && (0..height).contains(&row) && free.len() < 10 {
                let point = Point::new(column as usize, row as usize);
                if view.line_of(point) != view.line_of(stone) {
                    break;
                }
                if view.board.color(point).is_some() {
                    next = Some(point);
                    break;
                }
                free.push(point);
                (column, row) = (column + x, row + y);
            }
            found.push((stone, next, free));
        }
    }
    found
}

fn suggest_extensions(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    for (stone, next, free) in stretches_along_sides(view) {
        if !view.is_own(stone) || free.len() < 4 {
            continue;
        }
        if let Some(next) = next.filter(|&next| view.is_own(next)) {
            let mv = free[free.len() / 2];
            if view.stones_near(mv, 1) == 0 {
                out.suggest(
                    view,
                    mv,
                    Reason::for_rule(super::rule_named("extend-between"))
                        .about_stone(stone)
                        .with_other_stone(next),
                );
            }
        }
        for (away, name) in [(3, "extend-two"), (4, "extend-three"), (5, "extend-wide"), (6, "extend-wide")] {
            if let Some(&mv) = free.get(away - 1)
                && view.stones_near(mv, 2) == 0
                && view.line_of(mv) == view.line_of(stone)
            {
                out.suggest(view, mv, Reason::for_rule(super::rule_named(name)).about_stone(stone));
            }
        }
    }
}

/// Lines beyond a stone within which an own stone makes a move on its other side a pincer.
const BEHIND: i32 = 7;

/// Are the first stones beyond a stone, seen from a move along the side, own ones? The group of the stone itself does not count.
fn is_from_both_sides(view: &RuleContext<'_>, stone: Point, mv: Point, group: &Group) -> bool {
    let from = |other: Point| {
        let apart = |a: usize, b: usize| a as i32 - b as i32;
        (apart(stone.column(), other.column()), apart(stone.row(), other.row()))
    };
    let (x, y) = from(mv);
    let (x, y) = (x.signum(), y.signum());
    let lines_beyond = |&other: &Point| {
        let (column, row) = from(other);
        let (along, across) = (-(column * x + row * y), (column * y + row * x).abs());
        let is_stone = view.board.color(other).is_some() && !group.stones.contains(other);
        (is_stone && across <= 3 && (1..=BEHIND).contains(&along)).then_some(along)
    };
    let points = view.board.size().points();
    let nearest = points.filter_map(|other| Some((lines_beyond(&other)?, view.is_enemy(other)))).min();
    nearest.is_some_and(|(_, is_enemy)| !is_enemy)
}

/// Moves on the line of a lone stone, two to four points away: pincers if an own stone stands on its other side, too, else invasions or
/// approaches.
fn suggest_pincers(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    for (stone, next, free) in stretches_along_sides(view) {
        let group = view.analysis.group_at(stone).filter(|group| group.stones.len() <= 2);
        let Some(group) = group.filter(|_| view.is_enemy(stone) && free.len() >= 3) else { continue };
        for (away, name) in [(2, "pincer-close"), (3, "pincer-two"), (4, "pincer-wide")] {
            let Some(&mv) = free.get(away - 1).filter(|&&mv| view.stones_near(mv, 1) == 0) else { continue };
            let own = next.filter(|&next| view.is_own(next) && free.len() >= away + 2);
            let reason = |name, other| Reason {
                other,
                ..Reason::for_rule(super::rule_named(name)).about_stone(stone)
            };
            let reason = match (is_from_both_sides(view, stone, mv, group), next) {
                (true, _) => reason(if own.is_some() { "extend-and-pincer" } else { name }, own),
                (false, Some(next)) if view.is_enemy(next) => invasion_reason(stone, next),
                (false, _) => {
                    reason(if own.is_some() { "extend-and-approach" } else { "approach-side" }, own)
                }
            };
            out.suggest(view, mv, reason);
        }
    }
}

/// An invasion between two stones, from either the same.
fn invasion_reason(stone: Point, next: Point) -> Reason {
    Reason::for_rule(super::rule_named("invade-side"))
        .about_stone(stone.min(next))
        .with_other_stone(stone.max(next))
}

fn suggest_invasions(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    for (stone, next, free) in stretches_along_sides(view) {
        let Some(next) = next.filter(|&next| view.is_enemy(next) && view.is_enemy(stone)) else { continue };
        if free.len() < 5 {
            continue;
        }
        let mv = free[free.len() / 2];
        if view.stones_near(mv, 1) == 0 {
            out.suggest(view, mv, invasion_reason(stone, next));
        }
    }
}

/// Points of a moyo that are far from all stones.
fn open_moyo_points(view: &RuleContext<'_>, of_own: bool) -> Vec<Point> {
    let owner = if of_own { view.color } else { !view.color };
    let moyo = |&point: &Point| {
        view.is_empty(point)
            && view.line_of(point) >= 3
            && view.stones_near(point, 2) == 0
            && (view.analysis.influence.moyo_owner(point) == Some(owner)
                || view.analysis.influence.territory_owner(point) == Some(owner))
    };
    view.board.size().points().filter(moyo).collect()
}

fn suggest_moyo_invasions(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let behind = view.analysis.balance <= GameBalance::Behind;
    for mv in open_moyo_points(view, false) {
        let deep = view.line_of(mv) <= 4;
        let named = if deep { rule } else { super::rule_named("reduce") };
        out.suggest(view, mv, Reason::for_rule(named));
        if behind && deep {
            out.suggest(view, mv, Reason::for_rule(super::rule_named("behind-bold")));
        }
    }
}

fn suggest_reducing_caps(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for mv in open_moyo_points(view, false) {
        let below = view.board.size().points().find(|&stone| {
            let apart = stone.steps_to(mv);
            let along = stone.column() == mv.column() || stone.row() == mv.row();
            apart == 3 && along && view.is_enemy(stone) && view.line_of(stone) < view.line_of(mv)
        });
        if let Some(stone) = below.filter(|_| view.line_of(mv) >= 5) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(stone));
        }
    }
}

fn suggest_widening_moyo(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.phase == GamePhase::Endgame {
        return;
    }
    let influence = &view.analysis.influence;
    let doubt = influence.doubt();
    let mut found = Vec::new();
    for mv in view.board.size().points() {
        let (own, enemy) = (influence.influence_at(view.color, mv), influence.influence_at(!view.color, mv));
        let open = view.is_empty(mv) && view.line_of(mv) >= 3 && view.stones_near(mv, 2) == 0;
        if open && own > doubt / 3.0 && enemy > doubt / 3.0 && (own / enemy).max(enemy / own) < 1.6 {
            found.push((mv, super::rule_named("moyo-junction")));
        } else if open && own > doubt / 1.5 && enemy > doubt / 12.0 && own / enemy < 6.0 {
            found.push((mv, rule));
        }
    }
    for (mv, named) in found {
        out.suggest(view, mv, Reason::for_rule(named));
    }
}

/// One-point jumps towards the centre from stones on the third and fourth line.
fn suggest_center_jumps(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let size = view.board.size();
    for stone in size.points().filter(|&point| view.is_own(point) && (3..=5).contains(&view.line_of(point))) {
        for mv in size.points() {
            let apart = stone.steps_to(mv);
            let along = stone.column() == mv.column() || stone.row() == mv.row();
            if apart == 2
                && along
                && view.line_of(mv) == view.line_of(stone) + 2
                && view.stones_near(mv, 1) == 0
            {
                out.suggest(view, mv, Reason::for_rule(rule).about_stone(stone));
            }
        }
    }
}

/// Ahead, connections that could be cut are mended first.
fn suggest_safe_links(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.balance < GameBalance::Ahead {
        return;
    }
    let analysis = view.analysis;
    for link in &analysis.links {
        let own = view.is_own(link.stones[0]);
        if let Some(mv) = link.connect.filter(|_| own) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(link.stones[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Move, Position, Rules};

    use super::*;
    use crate::rules::suggest_moves;
    use crate::{Analysis, NoOracle};

    /// What rules of the sides say of a move of White after these stones.
    fn said(black: &[&str], white: &[&str], mv: &str) -> Vec<String> {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for (color, stones) in [(Color::White, white), (Color::Black, black)] {
            for stone in stones {
                let stone = position.size().parse_move(stone).unwrap();
                position.play(color, stone).unwrap();
            }
        }
        let suggestions = suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
        let here = suggestions.iter().find(|suggestion| Move::Play(suggestion.mv).to_string() == mv).unwrap();
        let names = here.reasons.iter().map(|reason| {
            let stones = [reason.about, reason.other].into_iter().flatten().map(|stone| format!(" {stone}"));
            reason.rule.name.to_string() + &stones.collect::<String>()
        });
        names
            .filter(|name| {
                ["pincer", "approach-side", "invade-side", "extend-and"]
                    .iter()
                    .any(|rule| name.starts_with(rule))
            })
            .collect()
    }

    #[test]
    fn a_pincer_has_an_own_stone_on_the_other_side() {
        assert_eq!(said(&["F3"], &["D4"], "J3"), ["pincer-two F3"]);
        assert_eq!(said(&["F3"], &["D4", "N3"], "J3"), ["extend-and-pincer F3 N3"]);
        assert_eq!(said(&["F3"], &["D16"], "J3"), ["approach-side F3"]);
        assert_eq!(said(&["F3"], &["N3"], "J3"), ["extend-and-approach F3 N3"]);
        assert_eq!(said(&["G3", "D4"], &["C4"], "K3"), ["approach-side G3"], "another stone stands between");
    }

    #[test]
    fn a_move_between_two_enemy_stones_invades() {
        assert_eq!(said(&["F3", "N3"], &["Q16"], "J3"), ["invade-side F3 N3"]);
    }

    /// Moves from an empty corner, the sides in turn, that lead to a move of a kind in the shipped book; the move last. The shortest
    /// found by following usual moves first.
    fn moves_to(kind: MoveKind) -> Vec<CornerMove> {
        let mut fringe = vec![Vec::new()];
        while let Some(line) = (!fringe.is_empty()).then(|| fringe.remove(0)) {
            let mut corner = CornerHashes::default();
            line.iter().for_each(|&mv| corner.toggle_stone(mv));
            let color = line.last().map_or(Color::Black, |mv: &CornerMove| !mv.color);
            for (mv, branch) in BOOK.branches(&corner) {
                let is_known = branch.stats.count >= JOSEKI_COUNT && mv.color == color;
                if !is_known || mv.point.column().min(mv.point.row()) >= JOSEKI_LINES {
                    continue;
                }
                let next: Vec<CornerMove> = line.iter().copied().chain([mv]).collect();
                // A bad move matters if an answer to it is known.
                let mut after = corner;
                after.toggle_stone(mv);
                let is_answered = BOOK.branches(&after).any(|(answer, branch)| {
                    answer.color != color
                        && branch.stats.count >= JOSEKI_COUNT
                        && branch.kind != MoveKind::Bad
                });
                if branch.kind == kind && (is_answered || !matches!(kind, MoveKind::Bad | MoveKind::Urgent)) {
                    return next;
                }
                if next.len() < 6 && branch.kind != MoveKind::Ignore {
                    fringe.push(next);
                }
            }
        }
        panic!("the book has no move of kind {kind}")
    }

    /// The position after these moves in the lower left corner, Black having so many points of komi less than nothing.
    fn after(moves: &[CornerMove], komi: f64) -> Position {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        position.set_komi(komi).unwrap();
        for mv in moves {
            let point = corner::board_point(position.size(), 0, mv.point);
            position.play(mv.color, point.into()).unwrap();
        }
        position
    }

    /// What joseki say in a style: moves, and whether they cannot wait.
    fn joseki_moves(position: &Position, style: &str) -> Vec<(Point, bool)> {
        let analysis = Analysis::analyze_in_style(style.parse().unwrap(), position, &mut NoOracle);
        let suggestions = suggest_moves(position, &analysis);
        let told =
            suggestions.iter().flat_map(|found| found.reasons.iter().map(move |reason| (found.mv, reason)));
        told.filter(|(_, reason)| reason.rule.family == RuleFamily::Joseki)
            .map(|(mv, reason)| (mv, reason.is_urgent))
            .collect()
    }

    #[test]
    fn hard_moves_and_tricks_are_for_who_is_behind() {
        for kind in [MoveKind::Hard, MoveKind::Trick] {
            let moves = moves_to(kind);
            let (mv, before) = moves.split_last().unwrap();
            let size = BoardSize::square(19).unwrap();
            let point = corner::board_point(size, 0, mv.point);
            let suggests = |style: &str, lead: f64| {
                // A komi that puts the side to move so far ahead.
                let komi = if mv.color == Color::Black { -lead } else { lead };
                joseki_moves(&after(before, komi), style).iter().any(|(other, _)| *other == point)
            };
            assert!(suggests("ishi", 100.0), "{kind}: {moves:?}");
            assert!(!suggests("move-kinds=acting", 100.0), "{kind}: {moves:?}");
            assert!(suggests("move-kinds=acting", -100.0), "{kind}: {moves:?}");
        }
    }

    /// After 4-4 and the approach from the side, the knight's move that nearly everybody plays is no hard move, whatever can follow it, and
    /// rare answers are not urgent.
    #[test]
    fn what_many_play_is_not_hard_and_what_few_play_is_not_urgent() {
        let size = BoardSize::square(19).unwrap();
        let mut position = Position::new(size, Rules::CHINESE);
        for vertex in ["D4", "C6"] {
            position.play(position.to_move(), size.parse_move(vertex).unwrap()).unwrap();
        }
        // Neither side is behind.
        position.set_komi(0.0).unwrap();
        let moves = joseki_moves(&position, "many-faces");
        let counts: Vec<(Point, bool, u32)> = {
            let mut corner = CornerHashes::default();
            for point in ["D4", "C6"].map(|vertex| size.parse_point(vertex).unwrap()) {
                let color = position.board().color(point).unwrap();
                corner.toggle_stone(CornerMove {
                    color,
                    point: corner::corner_points(size, point)[0].unwrap(),
                });
            }
            let book = BOOK.branches(&corner).filter(|(mv, _)| mv.color == Color::Black);
            let counts: Vec<(Point, u32)> = book
                .map(|(mv, branch)| (corner::board_point(size, 0, mv.point), branch.stats.count))
                .collect();
            let count_of = |point| counts.iter().find(|(other, _)| *other == point).map(|&(_, count)| count);
            moves.iter().filter_map(|&(point, urgent)| Some((point, urgent, count_of(point)?))).collect()
        };
        let most = counts.iter().map(|&(_, _, count)| count).max().unwrap();
        assert!(counts.iter().any(|&(point, ..)| point == size.parse_point("F3").unwrap()), "{counts:?}");
        assert!(counts.iter().all(|&(_, is_urgent, count)| !is_urgent || 3 * count >= most), "{counts:?}");
        assert!(counts.iter().any(|&(_, is_urgent, count)| !is_urgent && 3 * count < most), "{counts:?}");
    }

    #[test]
    fn bad_moves_are_answered_and_never_suggested() {
        let moves = moves_to(MoveKind::Bad);
        let (mv, before) = moves.split_last().unwrap();
        let point = corner::board_point(BoardSize::square(19).unwrap(), 0, mv.point);
        for style in ["ishi", "move-kinds=acting", "many-faces"] {
            assert!(!joseki_moves(&after(before, 0.0), style).iter().any(|(other, _)| *other == point));
            assert!(!joseki_moves(&after(&moves, 0.0), style).is_empty(), "{style}: {moves:?}");
        }
    }

    #[test]
    fn answers_to_urgent_moves_cannot_wait_and_come_first() {
        let moves = moves_to(MoveKind::Urgent);
        let position = after(&moves, 0.0);
        let answers = joseki_moves(&position, "many-faces");
        assert!(answers.iter().any(|(_, is_urgent)| *is_urgent), "{moves:?}");
        for style in ["move-kinds=acting", "urgent-first=yes"] {
            let analysis = Analysis::analyze_in_style(style.parse().unwrap(), &position, &mut NoOracle);
            let suggestions = suggest_moves(&position, &analysis);
            let urgent = suggestions.iter().take_while(|found| found.is_urgent).count();
            assert!(urgent > 0 && suggestions[urgent..].iter().all(|found| !found.is_urgent), "{style}");
        }
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        assert!(suggest_moves(&position, &analysis).iter().all(|found| !found.is_urgent), "ishi's own way");
    }

    #[test]
    fn joseki_unfold_to_several_lines_of_which_the_usual_is_first() {
        let first = moves_to(MoveKind::Normal)[0];
        let corner = CornerHashes::default();
        let usual = joseki_lines(&corner, first, Variations::MostPlayed);
        let all = joseki_lines(&corner, first, Variations::Unfolded);
        assert_eq!(usual.len(), 1);
        assert_eq!(all.len(), UNFOLDED, "{all:?}");
        assert_eq!(all[0], usual[0]);
        let mut sorted = all.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), all.len(), "no line stands twice");
        for line in &all {
            assert!(
                line.windows(2).all(|pair| pair[0].color != pair[1].color),
                "the sides move in turn: {line:?}"
            );
        }
    }
}
