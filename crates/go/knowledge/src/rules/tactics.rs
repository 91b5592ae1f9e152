//! Captures, rescues, connections, cuts, ko: what reading tells.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::{ChainStatus, ReadingOutcome};

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::chains::ChainFacts;
use crate::links::{Link, LinkKind, rectangle_corners};
use crate::reasons::{Reason, RuleFamily};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("take-stone", RuleFamily::Capture, 4.0, "takes the stone at {about}", "{about}の石を取ります", Condition::Find(suggest_taking)),
    new_rule("take-stones", RuleFamily::Capture, 6.0, "takes {count} stones at {about}", "{about}の{count}子を取ります", Condition::Read),
    new_rule("capture", RuleFamily::Capture, 4.0, "catches {count} stones at {about}, which cannot get away: {sequence}", "{about}の{count}子を逃げられなくします（{sequence}）", Condition::Find(suggest_capturing)),
    new_rule("capture-by-ko", RuleFamily::Ko, 3.0, "goes for {count} stones at {about} by ko: {sequence}", "{about}の{count}子をコウで取りに行きます（{sequence}）", Condition::Read),
    new_rule("ladder", RuleFamily::Capture, 4.0, "catches {count} stones at {about} in a ladder: {sequence}", "{about}の{count}子をシチョウに捕らえます（{sequence}）", Condition::Read),
    new_rule("net", RuleFamily::Capture, 4.0, "catches {count} stones at {about} in a net: {sequence}", "{about}の{count}子をゲタで捕らえます（{sequence}）", Condition::Read),
    new_rule("atari", RuleFamily::Capture, 1.5, "puts {count} stones at {about} into atari", "{about}の{count}子をアタリにします", Condition::Read),
    new_rule("threaten", RuleFamily::Capture, 1.0, "threatens to catch {count} stones at {about}: {sequence}", "{about}の{count}子を捕らえる手を狙います（{sequence}）", Condition::Read),
    new_rule("double-atari", RuleFamily::Capture, 5.0, "puts two chains into atari at once, at {about} and {other}", "{about}と{other}の両アタリです", Condition::Read),
    new_rule("keeps-captured", RuleFamily::Capture, 0.5, "makes sure of the {count} stones at {about}", "{about}の{count}子を確実に取ります", Condition::Find(suggest_making_sure)),
    new_rule("save", RuleFamily::Save, 4.0, "saves {count} stones at {about} from capture", "{about}の{count}子を助けます", Condition::Find(suggest_saving)),
    new_rule("save-by-capture", RuleFamily::Save, 5.0, "saves {count} stones at {about} by a capture at {other}", "{other}の石を取って{about}の{count}子を助けます", Condition::Read),
    new_rule("save-by-ko", RuleFamily::Ko, 3.0, "fights a ko for {count} stones at {about}", "{about}の{count}子をかけてコウを争います", Condition::Read),
    new_rule("extend-from-atari", RuleFamily::Save, 4.0, "extends {about} out of atari", "{about}のアタリを逃げます", Condition::Read),
    new_rule("connect", RuleFamily::Connect, 3.0, "connects {about} and {other}", "{about}と{other}をつなぎます", Condition::Find(suggest_connecting)),
    new_rule("connect-diagonal", RuleFamily::Connect, 3.0, "connects the diagonal stones {about} and {other}", "{about}と{other}のコスミをつなぎます", Condition::Read),
    new_rule("connect-hane", RuleFamily::Connect, 3.0, "connects {about} and {other} around the stone between them", "相手の石をはさんで{about}と{other}をつなぎます", Condition::Read),
    new_rule("connect-along-edge", RuleFamily::Connect, 2.5, "connects {about} and {other} along the edge", "{about}と{other}を辺でワタリます", Condition::Read),
    new_rule("connect-one-point-jump", RuleFamily::Connect, 3.0, "connects the one-point jump from {about} to {other}", "{about}と{other}の一間トビをつなぎます", Condition::Read),
    new_rule("connect-knight", RuleFamily::Connect, 3.0, "connects the knight's move from {about} to {other}", "{about}と{other}のケイマをつなぎます", Condition::Read),
    new_rule("connect-two-point-jump", RuleFamily::Connect, 2.5, "connects the two-point jump from {about} to {other}", "{about}と{other}の二間をつなぎます", Condition::Read),
    new_rule("connect-large-knight", RuleFamily::Connect, 2.5, "connects the large knight's move from {about} to {other}", "{about}と{other}の大ゲイマをつなぎます", Condition::Read),
    new_rule("connect-three-point-jump", RuleFamily::Connect, 2.0, "connects {about} with {other}, three points away", "{about}と{other}の三間をつなぎます", Condition::Read),
    new_rule("connect-elephant", RuleFamily::Connect, 2.0, "connects {about} and {other} across their weak point", "{about}と{other}の弱点を守ります", Condition::Read),
    new_rule("cut", RuleFamily::Cut, 3.0, "cuts {about} from {other}", "{about}と{other}を切ります", Condition::Find(suggest_cutting)),
    new_rule("cut-diagonal", RuleFamily::Cut, 3.5, "cuts the diagonal stones {about} and {other}", "{about}と{other}のコスミを切ります", Condition::Read),
    new_rule("cut-hane", RuleFamily::Cut, 3.5, "cuts {about} from {other} at the hane", "{about}と{other}をハネのところで切ります", Condition::Read),
    new_rule("cut-along-edge", RuleFamily::Cut, 2.5, "keeps {about} and {other} from joining along the edge", "{about}と{other}の辺のワタリを止めます", Condition::Read),
    new_rule("cut-one-point-jump", RuleFamily::Cut, 3.0, "cuts the one-point jump from {about} to {other}", "{about}と{other}の一間を割ります", Condition::Read),
    new_rule("cut-knight", RuleFamily::Cut, 3.0, "cuts the knight's move from {about} to {other}", "{about}と{other}のケイマを切ります", Condition::Read),
    new_rule("cut-two-point-jump", RuleFamily::Cut, 2.5, "cuts the two-point jump from {about} to {other}", "{about}と{other}の二間を割ります", Condition::Read),
    new_rule("cut-large-knight", RuleFamily::Cut, 2.5, "cuts the large knight's move from {about} to {other}", "{about}と{other}の大ゲイマを割ります", Condition::Read),
    new_rule("cut-three-point-jump", RuleFamily::Cut, 2.0, "comes between {about} and {other}", "{about}と{other}の間に入ります", Condition::Read),
    new_rule("cut-elephant", RuleFamily::Cut, 3.0, "cuts through the weak point between {about} and {other}", "{about}と{other}の間を割ります", Condition::Read),
    new_rule("take-ko", RuleFamily::Ko, 6.0, "takes the ko at {about}", "{about}のコウを取ります", Condition::Read),
    new_rule("end-ko", RuleFamily::Ko, 3.0, "ends the ko", "コウを解消します", Condition::Find(suggest_ending_ko)),
    new_rule("gain-liberties", RuleFamily::Shape, 0.8, "gains liberties for {about}: now {count}", "{about}の呼吸点を{count}に増やします", Condition::Find(suggest_gaining_liberties)),
    new_rule("take-liberties", RuleFamily::Attack, 0.8, "leaves {about} only {count} liberties", "{about}の呼吸点を{count}に減らします", Condition::Find(suggest_reducing_liberties)),
];

/// Stones that can be taken off at once.
fn suggest_taking(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    let enemies = view.analysis.chains.iter().filter(|chain| chain.color == Some(!view.color));
    let prey: Vec<(Point, Point, usize)> = enemies
        .filter(|chain| chain.liberties.len() == 1)
        .filter_map(|chain| Some((chain.liberties.first()?, chain.name(), chain.stones.len())))
        .collect();
    for (mv, name, count) in prey {
        out.suggest(view, mv, taking_reason(name, count));
    }
}

/// The reason that so many stones are taken.
pub(crate) fn taking_reason(name: Point, count: usize) -> Reason {
    let rule = super::rule_named(if count == 1 { "take-stone" } else { "take-stones" });
    Reason::for_rule(rule).about_stone(name).with_count(count).with_added_value(1.5 * (count - 1) as f64)
}

/// The chains of a colour that were read, with how they stand.
fn read_chains(view: &RuleContext<'_>, color: Color) -> Vec<(Point, usize, usize, ChainStatus)> {
    let facts = |&(name, status): &(Point, ChainStatus)| {
        let chain = view.analysis.chains.chain_at(name)?;
        (chain.color == Some(color)).then(|| (name, chain.stones.len(), chain.liberties.len(), status))
    };
    view.analysis.status.iter().filter_map(facts).collect()
}

fn suggest_capturing(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    for (name, count, liberties, status) in read_chains(view, !view.color) {
        if let ChainStatus::InDanger { attack, .. } = status
            && liberties > 1
            && let Some(mv) = attack.mv
        {
            let sequence = out.reader.read_sequence(view.board, name, true);
            out.suggest(view, mv, capture_reason(name, count, attack.outcome, sequence));
        }
    }
}

/// The reason that stones can be captured by this sequence.
pub(crate) fn capture_reason(
    name: Point,
    count: usize,
    outcome: ReadingOutcome,
    sequence: Vec<(Color, Point)>,
) -> Reason {
    let rule = super::rule_named(if outcome == ReadingOutcome::Works { "capture" } else { "capture-by-ko" });
    Reason::for_rule(rule)
        .about_stone(name)
        .with_count(count)
        .with_added_value(1.5 * count as f64)
        .with_sequence(sequence)
}

fn suggest_making_sure(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (name, count, liberties, status) in read_chains(view, !view.color) {
        if let ChainStatus::Captured { attack } = status
            && liberties > 1
            && let Some(mv) = attack.mv
        {
            out.suggest(view, mv, Reason::for_rule(rule).about_stone(name).with_count(count));
        }
    }
}

fn suggest_saving(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for (name, count, liberties, status) in read_chains(view, view.color) {
        let ChainStatus::InDanger { defence, .. } = status else { continue };
        let Some(mv) = defence.mv.filter(|_| !view.is_dead(name)) else { continue };
        if defence.outcome == ReadingOutcome::Works && out.falls_after(view, mv, name) {
            continue;
        }
        let taken = mv.neighbours().into_iter().find(|&n| {
            view.is_enemy(n) && view.board.chain(n).and_then(|c| view.board.atari_liberty(c)).is_some()
        });
        let named = match (defence.outcome, taken) {
            (ReadingOutcome::Fails, _) => continue,
            (ReadingOutcome::KoFirst | ReadingOutcome::KoSecond, _) => super::rule_named("save-by-ko"),
            (ReadingOutcome::Works, Some(_)) => super::rule_named("save-by-capture"),
            (ReadingOutcome::Works, None) if liberties == 1 => super::rule_named("extend-from-atari"),
            (ReadingOutcome::Works, None) => rule,
        };
        let reason =
            Reason::for_rule(named).about_stone(name).with_count(count).with_added_value(1.5 * count as f64);
        out.suggest(view, mv, Reason { other: taken, ..reason });
    }
}

/// The rule for a connection: `connect` or `cut`, and the shape. Diagonal stones between which both points are taken have no shape any more.
pub(crate) fn rule_of_link(verb: &str, board: &Board, link: &Link) -> &'static Rule {
    let shape = match link.kind {
        LinkKind::Diagonal if is_crosscut(board, link.stones) => "",
        LinkKind::Diagonal => "-diagonal",
        LinkKind::Hane => "-hane",
        LinkKind::OnePointJump => "-one-point-jump",
        LinkKind::HalfKnight | LinkKind::Knight => "-knight",
        LinkKind::TwoPointJump => "-two-point-jump",
        LinkKind::LargeKnight | LinkKind::HalfLargeKnight => "-large-knight",
        LinkKind::Elephant => "-elephant",
        LinkKind::ThreePointJump => "-three-point-jump",
        LinkKind::FirstLine => "-along-edge",
        LinkKind::Multiple | LinkKind::Common => "",
    };
    super::rule_named(&format!("{verb}{shape}"))
}

/// Have the opponent's stones crossed between diagonal stones?
fn is_crosscut(board: &Board, [a, b]: [Point; 2]) -> bool {
    rectangle_corners(a, b)
        .iter()
        .all(|&point| board.color(point).is_some_and(|color| Some(color) != board.color(a)))
}

fn suggest_connecting(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    suggest_deciding_links(view, "connect", out);
}

fn suggest_cutting(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    suggest_deciding_links(view, "cut", out);
}

/// Connections that the next move decides: the weightier, the larger the smaller part is.
fn suggest_deciding_links(view: &RuleContext<'_>, verb: &str, out: &mut RuleFindings) {
    let connects = verb == "connect";
    let color = if connects { view.color } else { !view.color };
    let analysis = view.analysis;
    for link in analysis.links.iter().filter(|link| link.strength.is_open()) {
        let [a, b] = link.stones;
        let (Some(one), Some(other)) = (analysis.chains.chain_at(a), analysis.chains.chain_at(b)) else {
            continue;
        };
        let Some(mv) = (if connects { link.connect } else { link.cut }) else { continue };
        // What is taken is not cut from anything.
        let is_taken = link.stones.iter().any(|&stone| view.takes_stone(mv, stone));
        if one.color == Some(color) && !is_taken {
            let least = one.stones.len().min(other.stones.len());
            let reason =
                Reason::for_rule(rule_of_link(verb, view.board, link)).about_stone(a).with_other_stone(b);
            out.suggest(view, mv, reason.with_added_value(0.7 * (least as f64 - 1.0).min(8.0)));
        }
    }
}

/// A stone that stands in the ko on to itself.
fn suggest_ending_ko(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let Some(last) = view.last else { return };
    let Some(chain) = view.board.chain(last) else { return };
    if view.board.chain_length(chain) == 1
        && view.is_own(last)
        && let Some(mv) = view.board.atari_liberty(chain)
    {
        out.suggest(view, mv, Reason::for_rule(rule));
    }
}

/// Own chains with two or three liberties that a move gives two more at least.
fn suggest_gaining_liberties(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for chain in view.analysis.chains.iter().filter(|chain| chain.color == Some(view.color)) {
        if !(2..=3).contains(&chain.liberties.len()) {
            continue;
        }
        for mv in chain.liberties.iter().filter(|&mv| view.board.is_legal(view.color, mv)) {
            let mut after = view.board.clone();
            after.play_unchecked(view.color, Move::Play(mv));
            let count = after.chain(mv).map_or(0, |chain| after.chain_liberties(chain).len());
            if count >= chain.liberties.len() + 2 {
                out.moves.push((
                    mv,
                    Reason::for_rule(rule).about_stone(touched_stone(chain, mv)).with_count(count),
                ));
            }
        }
    }
}

/// The stone of a chain that a move on one of its liberties touches.
fn touched_stone(chain: &ChainFacts, mv: Point) -> Point {
    mv.neighbours().into_iter().find(|&n| chain.stones.contains(n)).unwrap_or(chain.name())
}

/// Enemy chains that a move leaves two liberties.
fn suggest_reducing_liberties(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for chain in view.analysis.chains.iter().filter(|chain| chain.color == Some(!view.color)) {
        if chain.liberties.len() == 3 {
            for mv in chain.liberties.iter().filter(|&mv| view.board.is_legal(view.color, mv)) {
                out.moves
                    .push((mv, Reason::for_rule(rule).about_stone(touched_stone(chain, mv)).with_count(2)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Rules};

    use super::*;
    use crate::rules::tests::said;
    use crate::{Analysis, NoOracle};

    /// A long chain is named by the stone that the move touches.
    #[test]
    fn liberties_are_those_of_the_stone_beside_the_move() {
        let rows = ". . . . . .\n. . . . . .\n. X X X . .\nX O O O O .\nX X X X . .\n. . . . . .";
        assert!(said(rows, None, "F3").contains(&"leaves E3 only 2 liberties".to_string()));
    }

    #[test]
    fn what_is_crossed_is_no_diagonal_any_more() {
        let named = |between: &str| {
            let text = format!(
                ". . . . . .\n. . O {between} . .\n. . {between} O . .\n. . . . . .\n. . . . . .\n. . . . . ."
            );
            let position =
                text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
            let ends = ["C5", "D4"].map(|stone| position.size().parse_point(stone).unwrap());
            let analysis = Analysis::analyze(&position, &mut NoOracle);
            let link = analysis.links.iter().find(|link| ends.iter().all(|end| link.stones.contains(end)));
            rule_of_link("cut", position.board(), link.unwrap()).name
        };
        assert_eq!([named("."), named("X")], ["cut-diagonal", "cut"]);
    }
}
