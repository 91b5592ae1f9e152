//! Borders: what a move gains where both sides' areas meet, and what is left at the end.

use ishi_go::{Color, Move, Point};
use ishi_reading::ReadingOutcome;

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::reasons::{Reason, RuleFamily};
use crate::strategy::GamePhase;

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("hane-first-line", RuleFamily::Endgame, 2.0, "is a hane on the first line around {about}", "{about}への一線のハネです", Condition::Find(suggest_first_line)),
    new_rule("hane-second-line", RuleFamily::Endgame, 3.0, "is a hane on the second line around {about}", "{about}への二線のハネです", Condition::Read),
    new_rule("descend-first-line", RuleFamily::Endgame, 1.5, "descends to the first line from {about}", "{about}から一線にサガります", Condition::Read),
    new_rule("descend-second-line", RuleFamily::Endgame, 2.5, "descends to the second line from {about}", "{about}から二線にサガります", Condition::Read),
    new_rule("connect-first-line", RuleFamily::Endgame, 1.5, "connects after the first-line hane at {about}", "{about}の一線のハネに対してツギます", Condition::Find(suggest_first_line_connection)),
    new_rule("block-border", RuleFamily::Endgame, 2.5, "blocks {about} at the border", "{about}を止めて境界を決めます", Condition::Find(suggest_border)),
    new_rule("push-border", RuleFamily::Endgame, 2.0, "pushes the border forward from {about}", "{about}から境界を押します", Condition::Read),
    new_rule("monkey-jump", RuleFamily::Endgame, 4.0, "jumps along the first line from {about} (monkey jump)", "{about}からサルスベリです", Condition::Find(suggest_monkey_jump)),
    new_rule("second-line-crawl", RuleFamily::Endgame, 1.0, "crawls along the second line from {about}", "{about}から二線をハイます", Condition::Read),
    new_rule("fill-dame", RuleFamily::Endgame, 0.2, "fills a neutral point", "ダメを詰めます", Condition::Find(suggest_dame)),
    new_rule("ko-threat", RuleFamily::Ko, 1.0, "is a ko threat: it threatens {count} stones at {about}", "{about}の{count}子を狙うコウダテです", Condition::Find(suggest_ko_threats)),
    new_rule("endgame-point", RuleFamily::Endgame, 1.0, "decides about {count} points beside it that are nobody's yet", "まだ決まっていない隣の{count}点を決めます", Condition::Find(suggest_border_points)),
];

/// Is the move one that loses the stone?
fn is_lost_stone(view: &RuleContext<'_>, mv: Point) -> bool {
    view.board.self_atari_size(view.color, mv) > 0
}

/// Hanes and descents on the first two lines.
fn suggest_first_line(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.phase == GamePhase::Opening {
        return;
    }
    let size = view.board.size();
    for mv in size.points().filter(|&mv| view.line_of(mv) <= 2 && view.is_empty(mv)) {
        let line = view.line_of(mv);
        if is_lost_stone(view, mv) {
            continue;
        }
        for stone in mv.neighbours() {
            if view.is_own(stone) && view.line_of(stone) == line + 1 {
                let enemy = mv.diagonals().into_iter().any(|n| view.is_enemy(n));
                if enemy {
                    let name = if line == 1 { "descend-first-line" } else { "descend-second-line" };
                    out.suggest(view, mv, Reason::for_rule(super::rule_named(name)).about_stone(stone));
                }
            }
        }
        let enemy_above =
            mv.neighbours().into_iter().find(|&n| view.is_enemy(n) && view.line_of(n) == line + 1);
        let is_hane = |enemy: &Point| bends_down(view, mv, view.color) && !view.takes_stone(mv, *enemy);
        if let Some(enemy) = enemy_above.filter(is_hane) {
            let name = if line == 1 { "hane-first-line" } else { "hane-second-line" };
            out.suggest(view, mv, Reason::for_rule(super::rule_named(name)).about_stone(enemy));
        }
    }
}

/// After the opponent's hane on the first line: points beside it where two chains become one.
fn suggest_first_line_connection(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let Some(last) = view.last.filter(|&last| is_first_line_hane(view, last)) else { return };
    for mv in last.neighbours().into_iter().chain(last.diagonals()) {
        if view.is_empty(mv)
            && view.line_of(mv) <= 2
            && joins_two_chains(view, mv)
            && !is_lost_stone(view, mv)
        {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(last));
        }
    }
}

/// Does an enemy stone on the first line bend around one of ours?
fn is_first_line_hane(view: &RuleContext<'_>, stone: Point) -> bool {
    let is_below_ours = stone.neighbours().into_iter().any(|n| view.is_own(n) && view.line_of(n) == 2);
    view.line_of(stone) == 1 && is_below_ours && bends_down(view, stone, !view.color)
}

/// Does a stone of the colour bend down from the line above, as a hane does? What stands next to its own side extends, or crawls.
fn bends_down(view: &RuleContext<'_>, stone: Point, color: Color) -> bool {
    let is_of_side = |&n: &Point| view.board.color(n) == Some(color);
    let above = view.line_of(stone) + 1;
    stone.diagonals().iter().any(|n| is_of_side(n) && view.line_of(*n) == above)
        && !stone.neighbours().iter().any(is_of_side)
}

/// Does a move stand between own stones of two chains?
fn joins_two_chains(view: &RuleContext<'_>, mv: Point) -> bool {
    let own = mv.neighbours().into_iter().filter(|&n| view.is_own(n));
    let chains: Vec<_> = own.map(|stone| view.board.chain(stone)).collect();
    chains.iter().any(|chain| *chain != chains[0])
}

/// Points that touch both sides' stones, with open points behind.
fn suggest_border(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.phase == GamePhase::Opening {
        return;
    }
    let size = view.board.size();
    for mv in size.points().filter(|&mv| view.is_empty(mv)) {
        let own = mv.neighbours().into_iter().find(|&n| view.is_own(n));
        let enemy = mv.neighbours().into_iter().find(|&n| view.is_enemy(n) && !view.takes_stone(mv, n));
        let open = mv.neighbours().into_iter().filter(|&n| view.is_empty(n)).count();
        let (Some(own), Some(enemy), true) = (own, enemy, open > 0) else { continue };
        if is_lost_stone(view, mv) {
            continue;
        }
        let behind = mv.neighbours().into_iter().filter(|&n| view.is_empty(n));
        let inner = behind.map(|n| view.analysis.influence.territory_owner(n)).collect::<Vec<_>>();
        if inner.contains(&Some(view.color)) {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(enemy));
        } else if inner.contains(&Some(!view.color)) {
            let low = view.line_of(mv) == 2 && view.line_of(own) == 2;
            let name = if low { "second-line-crawl" } else { "push-border" };
            out.suggest(view, mv, Reason::for_rule(super::rule_named(name)).about_stone(own));
        }
    }
}

/// A large knight's move on the first line from a stone on the second, under the opponent's territory.
fn suggest_monkey_jump(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let size = view.board.size();
    for stone in size.points().filter(|&point| view.is_own(point) && view.line_of(point) == 2) {
        for mv in size.points().filter(|&mv| view.line_of(mv) == 1 && view.is_empty(mv)) {
            let (across, up) = (mv.column().abs_diff(stone.column()), mv.row().abs_diff(stone.row()));
            let is_side = mv.column() == 0 || mv.column() + 1 == size.width();
            let is_along = if is_side { (across, up) == (1, 3) } else { (across, up) == (3, 1) };
            let open = view.stones_near(mv, 1) == 0;
            if is_along && open {
                let inner = view.analysis.influence.territory_owner(mv) == Some(!view.color);
                if inner {
                    out.suggest(view, mv, Reason::for_rule(rule).about_stone(stone));
                }
            }
        }
    }
}

/// Points that are nobody's, late in the game.
fn suggest_dame(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.phase != GamePhase::Endgame {
        return;
    }
    for mv in view.board.size().points().filter(|&mv| view.is_empty(mv)) {
        let around = mv.neighbours();
        let own = around.into_iter().any(|n| view.is_own(n));
        let enemy = around.into_iter().any(|n| view.is_enemy(n));
        let open = around.into_iter().any(|n| view.is_empty(n));
        if own && enemy && !open && !is_lost_stone(view, mv) {
            out.suggest(view, mv, Reason::for_rule(rule));
        }
    }
}

/// While a ko is on: moves that threaten something.
fn suggest_ko_threats(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.board.ko_point().is_none() {
        return;
    }
    let enemies = view.analysis.chains.iter().filter(|chain| chain.color == Some(!view.color));
    let large: Vec<(Point, usize, Vec<Point>)> = enemies
        .filter(|chain| chain.stones.len() >= 3 && (2..=3).contains(&chain.liberties.len()))
        .map(|chain| (chain.name(), chain.stones.len(), chain.liberties.iter().collect()))
        .collect();
    for (name, count, liberties) in large {
        for mv in liberties.into_iter().filter(|&mv| view.board.is_legal(view.color, mv)) {
            let mut after = view.board.clone();
            after.play_unchecked(view.color, Move::Play(mv));
            if out.reader.attack(&after, name).outcome == ReadingOutcome::Works {
                out.suggest(
                    view,
                    mv,
                    Reason::for_rule(rule)
                        .about_stone(name)
                        .with_count(count)
                        .with_added_value(0.3 * count as f64),
                );
            }
        }
    }
}

/// Border points with open points beside them.
fn suggest_border_points(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.phase == GamePhase::Opening {
        return;
    }
    let size = view.board.size();
    for mv in size.points().filter(|&mv| view.is_empty(mv)) {
        let influence = &view.analysis.influence;
        let near = mv.neighbours().into_iter().chain(mv.diagonals());
        let open = near.filter(|&n| view.is_empty(n) && influence.territory_owner(n).is_none()).count();
        let touches = mv.neighbours().into_iter().any(|n| view.board.color(n).is_some());
        let contested = influence.territory_owner(mv).is_none();
        if touches && contested && open >= 2 && !is_lost_stone(view, mv) {
            out.suggest(
                view,
                mv,
                Reason::for_rule(rule).with_count(open).with_added_value(0.5 * open as f64),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::said;

    #[test]
    fn there_is_no_hane_around_a_stone_that_is_taken() {
        let with = |above: &str, beside: &str| {
            let rows = [
                "O O O . X . X",
                &format!(". O {above} . X O ."),
                ". X O X . . .",
                &format!(". {beside} . . . . ."),
                ". . . . . . .",
            ];
            said(&rows.join("\n"), None, "C2")
        };
        let hane = "is a hane on the second line around C3".to_string();
        assert!(with(".", ".").contains(&hane));
        assert!(!with(".", "X").contains(&hane), "it extends from B2");
        let taken = with("X", ".");
        assert!(taken.contains(&"takes the stone at C3".to_string()) && !taken.contains(&hane), "{taken:?}");
        assert!(!taken.iter().any(|text| text.contains("border")), "{taken:?}");
    }

    #[test]
    fn a_hane_on_the_first_line_is_answered_where_it_is_one() {
        let connects = |third: &str, first: &str, last: &str| {
            let rows = [". . . . . . .", ". . . . . . .", ". . . . . . .", third, ". . O X . . .", first];
            let said = said(&rows.join("\n"), Some(last), "E2");
            said.into_iter().filter(|text| text.starts_with("connects after")).collect::<Vec<_>>()
        };
        let (cut, whole, open) = (". . O O X . .", ". . O X X . .", ". . . . . . .");
        assert_eq!(connects(cut, open, "D1"), ["connects after the first-line hane at D1"]);
        assert_eq!(connects(cut, open, "E1"), [""; 0], "E1 touches nothing");
        assert_eq!(connects(cut, ". . O . . . .", "D1"), [""; 0], "D1 crawls from C1");
        assert_eq!(connects(whole, open, "D1"), [""; 0], "D2 and E3 are one chain");
    }
}
