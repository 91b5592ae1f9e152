//! Captures, rescues, connections, cuts, ko: what reading tells.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::{Outcome, Status};

use super::{Condition, Found, Rule, View, rule};
use crate::chains::ChainFacts;
use crate::links::{Link, LinkKind, corners};
use crate::reasons::{Family, Reason};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("take-stone", Family::Capture, 4.0, "takes the stone at {about}", "{about}の石を取ります", Condition::Find(take)),
    rule("take-stones", Family::Capture, 6.0, "takes {count} stones at {about}", "{about}の{count}子を取ります", Condition::Read),
    rule("capture", Family::Capture, 4.0, "catches {count} stones at {about}, which cannot get away: {sequence}", "{about}の{count}子は逃げられなくなります（{sequence}）", Condition::Find(capture)),
    rule("capture-by-ko", Family::Ko, 3.0, "goes for {count} stones at {about} by ko: {sequence}", "{about}の{count}子をコウで取りに行きます（{sequence}）", Condition::Read),
    rule("ladder", Family::Capture, 4.0, "catches {count} stones at {about} in a ladder: {sequence}", "{about}の{count}子をシチョウに捕らえます（{sequence}）", Condition::Read),
    rule("net", Family::Capture, 4.0, "catches {count} stones at {about} in a net: {sequence}", "{about}の{count}子をゲタで捕らえます（{sequence}）", Condition::Read),
    rule("atari", Family::Capture, 1.5, "puts {count} stones at {about} into atari", "{about}の{count}子をアタリにします", Condition::Read),
    rule("threaten", Family::Capture, 1.0, "threatens to catch {count} stones at {about}: {sequence}", "{about}の{count}子を捕らえる手を狙います（{sequence}）", Condition::Read),
    rule("double-atari", Family::Capture, 5.0, "puts two chains into atari at once, at {about} and {other}", "{about}と{other}の両アタリです", Condition::Read),
    rule("keeps-captured", Family::Capture, 0.5, "makes sure of the {count} stones at {about}", "{about}の{count}子を確実に取ります", Condition::Find(make_sure)),
    rule("save", Family::Save, 4.0, "saves {count} stones at {about} from capture", "{about}の{count}子を助けます", Condition::Find(save)),
    rule("save-by-capture", Family::Save, 5.0, "saves {count} stones at {about} by a capture at {other}", "{other}の石を取って{about}の{count}子を助けます", Condition::Read),
    rule("save-by-ko", Family::Ko, 3.0, "fights a ko for {count} stones at {about}", "{about}の{count}子をかけてコウを争います", Condition::Read),
    rule("extend-from-atari", Family::Save, 4.0, "extends {about} out of atari", "{about}のアタリを逃げます", Condition::Read),
    rule("connect", Family::Connect, 3.0, "connects {about} and {other}", "{about}と{other}をつなぎます", Condition::Find(connect)),
    rule("connect-diagonal", Family::Connect, 3.0, "connects the diagonal stones {about} and {other}", "{about}と{other}のコスミをつなぎます", Condition::Read),
    rule("connect-hane", Family::Connect, 3.0, "connects {about} and {other} around the stone between them", "相手の石をはさんで{about}と{other}をつなぎます", Condition::Read),
    rule("connect-along-edge", Family::Connect, 2.5, "connects {about} and {other} along the edge", "{about}と{other}を辺でワタリます", Condition::Read),
    rule("connect-one-point-jump", Family::Connect, 3.0, "connects the one-point jump from {about} to {other}", "{about}と{other}の一間トビをつなぎます", Condition::Read),
    rule("connect-knight", Family::Connect, 3.0, "connects the knight's move from {about} to {other}", "{about}と{other}のケイマをつなぎます", Condition::Read),
    rule("connect-two-point-jump", Family::Connect, 2.5, "connects the two-point jump from {about} to {other}", "{about}と{other}の二間をつなぎます", Condition::Read),
    rule("connect-large-knight", Family::Connect, 2.5, "connects the large knight's move from {about} to {other}", "{about}と{other}の大ゲイマをつなぎます", Condition::Read),
    rule("connect-three-point-jump", Family::Connect, 2.0, "connects {about} with {other}, three points away", "{about}と{other}の三間をつなぎます", Condition::Read),
    rule("connect-elephant", Family::Connect, 2.0, "connects {about} and {other} across their weak point", "{about}と{other}の弱点を守ります", Condition::Read),
    rule("cut", Family::Cut, 3.0, "cuts {about} from {other}", "{about}と{other}を切ります", Condition::Find(cut)),
    rule("cut-diagonal", Family::Cut, 3.5, "cuts the diagonal stones {about} and {other}", "{about}と{other}のコスミを切ります", Condition::Read),
    rule("cut-hane", Family::Cut, 3.5, "cuts {about} from {other} at the hane", "{about}と{other}をハネのところで切ります", Condition::Read),
    rule("cut-along-edge", Family::Cut, 2.5, "keeps {about} and {other} from joining along the edge", "{about}と{other}の辺のワタリを止めます", Condition::Read),
    rule("cut-one-point-jump", Family::Cut, 3.0, "cuts the one-point jump from {about} to {other}", "{about}と{other}の一間を割ります", Condition::Read),
    rule("cut-knight", Family::Cut, 3.0, "cuts the knight's move from {about} to {other}", "{about}と{other}のケイマを切ります", Condition::Read),
    rule("cut-two-point-jump", Family::Cut, 2.5, "cuts the two-point jump from {about} to {other}", "{about}と{other}の二間を割ります", Condition::Read),
    rule("cut-large-knight", Family::Cut, 2.5, "cuts the large knight's move from {about} to {other}", "{about}と{other}の大ゲイマを割ります", Condition::Read),
    rule("cut-three-point-jump", Family::Cut, 2.0, "comes between {about} and {other}", "{about}と{other}の間に入ります", Condition::Read),
    rule("cut-elephant", Family::Cut, 3.0, "cuts through the weak point between {about} and {other}", "{about}と{other}の間を割ります", Condition::Read),
    rule("take-ko", Family::Ko, 6.0, "takes the ko at {about}", "{about}のコウを取ります", Condition::Read),
    rule("end-ko", Family::Ko, 3.0, "ends the ko", "コウを解消します", Condition::Find(end_ko)),
    rule("gain-liberties", Family::Shape, 0.8, "gains liberties for {about}: now {count}", "{about}の呼吸点を{count}に増やします", Condition::Find(gain_liberties)),
    rule("take-liberties", Family::Attack, 0.8, "leaves {about} only {count} liberties", "{about}の呼吸点を{count}に減らします", Condition::Find(take_liberties)),
];

/// Stones that can be taken off at once.
fn take(view: &View<'_>, _: &'static Rule, out: &mut Found) {
    let enemies = view.analysis.chains.iter().filter(|chain| chain.color == Some(!view.color));
    let prey: Vec<(Point, Point, usize)> = enemies
        .filter(|chain| chain.liberties.len() == 1)
        .filter_map(|chain| Some((chain.liberties.first()?, chain.name(), chain.stones.len())))
        .collect();
    for (mv, name, count) in prey {
        out.suggest(view, mv, taken(name, count));
    }
}

/// The reason that so many stones are taken.
pub(crate) fn taken(name: Point, count: usize) -> Reason {
    let rule = super::named(if count == 1 { "take-stone" } else { "take-stones" });
    Reason::of(rule).about(name).count(count).plus(1.5 * (count - 1) as f64)
}

/// The chains of a colour that were read, with how they stand.
fn read(view: &View<'_>, color: Color) -> Vec<(Point, usize, usize, Status)> {
    let facts = |&(name, status): &(Point, Status)| {
        let chain = view.analysis.chains.at(name)?;
        (chain.color == Some(color)).then(|| (name, chain.stones.len(), chain.liberties.len(), status))
    };
    view.analysis.status.iter().filter_map(facts).collect()
}

fn capture(view: &View<'_>, _: &'static Rule, out: &mut Found) {
    for (name, count, liberties, status) in read(view, !view.color) {
        if let Status::InDanger { attack, .. } = status
            && liberties > 1
            && let Some(mv) = attack.mv
        {
            let sequence = out.reader.sequence(view.board, name, true);
            out.suggest(view, mv, captured(name, count, attack.outcome, sequence));
        }
    }
}

/// The reason that stones can be captured by this sequence.
pub(crate) fn captured(name: Point, count: usize, outcome: Outcome, sequence: Vec<(Color, Point)>) -> Reason {
    let rule = super::named(if outcome == Outcome::Works { "capture" } else { "capture-by-ko" });
    Reason::of(rule).about(name).count(count).plus(1.5 * count as f64).by(sequence)
}

fn make_sure(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (name, count, liberties, status) in read(view, !view.color) {
        if let Status::Captured { attack } = status
            && liberties > 1
            && let Some(mv) = attack.mv
        {
            out.suggest(view, mv, Reason::of(rule).about(name).count(count));
        }
    }
}

fn save(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for (name, count, liberties, status) in read(view, view.color) {
        let Status::InDanger { defence, .. } = status else { continue };
        let Some(mv) = defence.mv.filter(|_| !view.is_dead(name)) else { continue };
        if defence.outcome == Outcome::Works && out.falls_after(view, mv, name) {
            continue;
        }
        let taken = mv
            .neighbours()
            .into_iter()
            .find(|&n| view.is_enemy(n) && view.board.chain(n).and_then(|c| view.board.atari(c)).is_some());
        let named = match (defence.outcome, taken) {
            (Outcome::Fails, _) => continue,
            (Outcome::KoFirst | Outcome::KoSecond, _) => super::named("save-by-ko"),
            (Outcome::Works, Some(_)) => super::named("save-by-capture"),
            (Outcome::Works, None) if liberties == 1 => super::named("extend-from-atari"),
            (Outcome::Works, None) => rule,
        };
        let reason = Reason::of(named).about(name).count(count).plus(1.5 * count as f64);
        out.suggest(view, mv, Reason { other: taken, ..reason });
    }
}

/// The rule for a connection: `connect` or `cut`, and the shape. Diagonal stones between which both points are taken have no shape any more.
pub(crate) fn of_link(verb: &str, board: &Board, link: &Link) -> &'static Rule {
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
    super::named(&format!("{verb}{shape}"))
}

/// Have the opponent's stones crossed between diagonal stones?
fn is_crosscut(board: &Board, [a, b]: [Point; 2]) -> bool {
    corners(a, b).iter().all(|&point| board.color(point).is_some_and(|color| Some(color) != board.color(a)))
}

fn connect(view: &View<'_>, _: &'static Rule, out: &mut Found) {
    links(view, "connect", out);
}

fn cut(view: &View<'_>, _: &'static Rule, out: &mut Found) {
    links(view, "cut", out);
}

/// Connections that the next move decides: the weightier, the larger the smaller part is.
fn links(view: &View<'_>, verb: &str, out: &mut Found) {
    let connects = verb == "connect";
    let color = if connects { view.color } else { !view.color };
    let analysis = view.analysis;
    for link in analysis.links.iter().filter(|link| link.strength.is_open()) {
        let [a, b] = link.stones;
        let (Some(one), Some(other)) = (analysis.chains.at(a), analysis.chains.at(b)) else { continue };
        let Some(mv) = (if connects { link.connect } else { link.cut }) else { continue };
        // What is taken is not cut from anything.
        let is_taken = link.stones.iter().any(|&stone| view.takes(mv, stone));
        if one.color == Some(color) && !is_taken {
            let least = one.stones.len().min(other.stones.len());
            let reason = Reason::of(of_link(verb, view.board, link)).about(a).with(b);
            out.suggest(view, mv, reason.plus(0.7 * (least as f64 - 1.0).min(8.0)));
        }
    }
}

/// A stone that stands in the ko on to itself.
fn end_ko(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    let Some(last) = view.last else { return };
    let Some(chain) = view.board.chain(last) else { return };
    if view.board.chain_length(chain) == 1
        && view.is_own(last)
        && let Some(mv) = view.board.atari(chain)
    {
        out.suggest(view, mv, Reason::of(rule));
    }
}

/// Own chains with two or three liberties that a move gives two more at least.
fn gain_liberties(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for chain in view.analysis.chains.iter().filter(|chain| chain.color == Some(view.color)) {
        if !(2..=3).contains(&chain.liberties.len()) {
            continue;
        }
        for mv in chain.liberties.iter().filter(|&mv| view.board.is_legal(view.color, mv)) {
            let mut after = view.board.clone();
            after.play_unchecked(view.color, Move::Play(mv));
            let count = after.chain(mv).map_or(0, |chain| after.chain_liberties(chain).len());
            if count >= chain.liberties.len() + 2 {
                out.moves.push((mv, Reason::of(rule).about(touched(chain, mv)).count(count)));
            }
        }
    }
}

/// The stone of a chain that a move on one of its liberties touches.
fn touched(chain: &ChainFacts, mv: Point) -> Point {
    mv.neighbours().into_iter().find(|&n| chain.stones.contains(n)).unwrap_or(chain.name())
}

/// Enemy chains that a move leaves two liberties.
fn take_liberties(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for chain in view.analysis.chains.iter().filter(|chain| chain.color == Some(!view.color)) {
        if chain.liberties.len() == 3 {
            for mv in chain.liberties.iter().filter(|&mv| view.board.is_legal(view.color, mv)) {
                out.moves.push((mv, Reason::of(rule).about(touched(chain, mv)).count(2)));
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
            let position = text.parse::<Diagram>().unwrap().position(Rules::CHINESE, Color::Black).unwrap();
            let ends = ["C5", "D4"].map(|stone| position.size().parse_point(stone).unwrap());
            let analysis = Analysis::of(&position, &mut NoOracle);
            let link = analysis.links.iter().find(|link| ends.iter().all(|end| link.stones.contains(end)));
            of_link("cut", position.board(), link.unwrap()).name
        };
        assert_eq!([named("."), named("X")], ["cut-diagonal", "cut"]);
    }
}
