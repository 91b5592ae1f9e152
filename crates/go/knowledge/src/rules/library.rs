//! Patterns of the database ([`ishi_patterns::library`]): what was mined, and what was written by hand.

use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::Kind;
use ishi_patterns::library::{Branch, Index, Match, NoFates, Pattern, Purpose};

use super::{Condition, Found, Rule, View, rule};
use crate::reasons::{Family, KnownPattern, Reason};
use crate::strategy::{Balance, Phase};
use crate::style::{MoveKinds, PatternPurposes, Variations};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("mined-pattern", Family::Pattern, 0.0, "follows pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}の手です（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Find(mined)),
    rule("hand-pattern", Family::Pattern, 1.0, "follows pattern {pattern}: {words}", "パターン{pattern}の手です：{words}", Condition::Find(by_hand)),
    rule("pattern-cut", Family::Pattern, 1.0, "cuts as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように切ります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-connect", Family::Pattern, 1.0, "connects as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のようにつなぎます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-life", Family::Pattern, 1.0, "is about eyes as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように眼形にかかわります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-endgame", Family::Pattern, 0.5, "draws the border as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように境界を決めます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-invade", Family::Pattern, 0.5, "enters as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように入ります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-prevent", Family::Pattern, 0.5, "keeps the opponent from entering as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように進入を防ぎます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-break-out", Family::Pattern, 0.5, "gets out as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように外へ出ます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-enclose", Family::Pattern, 0.5, "keeps in as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように封じます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-shape", Family::Pattern, 0.0, "makes shape as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように形を整えます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    rule("pattern-answer", Family::Pattern, 0.0, "is what pattern {pattern} has for the last move", "パターン{pattern}のように直前の手に応じます", Condition::Find(answers)),
];

/// Points for a move that is always played where its pattern is seen.
const ALWAYS: f64 = 7.0;
/// Points for an answer that a pattern has to the last move.
const ANSWER: f64 = 3.0;
/// What is played in so large a share of the places where it is seen cannot wait: in a mined pattern nobody has said so.
const CANNOT_WAIT: f64 = 0.75;

/// The rule of a purpose.
fn of_purpose(purpose: Purpose) -> &'static Rule {
    super::named(match purpose {
        Purpose::Cut => "pattern-cut",
        Purpose::Connect => "pattern-connect",
        Purpose::Life => "pattern-life",
        Purpose::Endgame => "pattern-endgame",
        Purpose::Invade => "pattern-invade",
        Purpose::Prevent => "pattern-prevent",
        Purpose::BreakOut => "pattern-break-out",
        Purpose::Enclose => "pattern-enclose",
        Purpose::Shape => "pattern-shape",
    })
}

/// Does a pattern of this purpose suggest moves now? Borders are not drawn in the opening, and nobody enters at the end. The document
/// gives no such rule; it says that the phase and the balance of the game tell which generators fit.
fn fits(view: &View<'_>, purpose: Purpose) -> bool {
    match (purpose, view.analysis.phase) {
        (Purpose::Endgame, Phase::Opening) => false,
        (Purpose::Invade | Purpose::Prevent, Phase::Endgame) => false,
        // Who is well ahead lets be what it need not enter.
        (Purpose::Invade, _) => view.analysis.balance < Balance::WellAhead,
        _ => true,
    }
}

/// A move of a pattern that matches.
struct Told<'v> {
    found: &'v Match,
    pattern: &'static Pattern,
    at: Point,
    branch: &'static Branch,
    purpose: Purpose,
}

impl Told<'_> {
    /// The share of the places where the pattern was seen in which the move was played; 0 if nobody counted.
    fn share(&self) -> f64 {
        f64::from(self.branch.played) / f64::from(self.pattern.seen.max(1))
    }

    /// Does the pattern say that the move cannot wait? By hand it may; of mined patterns those moves count that are nearly always played.
    fn cannot_wait(&self) -> bool {
        if self.pattern.seen == 0 { self.branch.kind == Kind::Urgent } else { self.share() >= CANNOT_WAIT }
    }
}

/// Of all mined patterns that suggest a move the one that is most often played.
fn mined(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    let mut best: Vec<(Point, f64, Reason)> = Vec::new();
    each(view, |told| {
        if told.pattern.seen == 0 {
            return;
        }
        let rule = match view.analysis.style.purposes {
            PatternPurposes::No => rule,
            PatternPurposes::Yes => of_purpose(told.purpose),
        };
        let share = told.share();
        let reason = || reason(view, rule, &told, ALWAYS * share);
        match best.iter_mut().find(|(point, ..)| *point == told.at) {
            Some((_, known, _)) if *known >= share => {}
            Some(place) => *place = (told.at, share, reason()),
            None => best.push((told.at, share, reason())),
        }
    });
    for (at, _, reason) in best {
        out.suggest(view, at, reason);
    }
}

/// Patterns that nobody counted: they have words.
fn by_hand(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    each(view, |told| {
        if told.pattern.seen == 0 {
            let value = match view.analysis.style.purposes {
                PatternPurposes::No => 0.0,
                PatternPurposes::Yes => of_purpose(told.purpose).value,
            };
            out.suggest(view, told.at, reason(view, rule, &told, value));
        }
    });
}

/// Goes through the moves that patterns suggest to the side to move; those that are known to be bad are left out.
fn each(view: &View<'_>, mut tell: impl FnMut(Told<'_>)) {
    let index = Index::shipped();
    for found in &view.patterns {
        let (pattern, purpose) = (index.pattern(found), index.purpose(found));
        if view.analysis.style.purposes == PatternPurposes::Yes && !fits(view, purpose) {
            continue;
        }
        for suggested in found.moves(pattern, &pattern.moves, view.board.size()) {
            if suggested.color == view.color && view.may_play(suggested.branch.kind) {
                let (at, branch) = (suggested.at, suggested.branch);
                tell(Told { found, pattern, at, branch, purpose });
            }
        }
    }
}

/// Where kinds of moves act: what patterns that began with the last move have as its answers. So a bad move is answered that nobody
/// would suggest, and an urgent one at once.
fn answers(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    if view.analysis.style.move_kinds == MoveKinds::Alike {
        return;
    }
    let Some(last) = view.last else { return };
    let mut before = view.position.clone();
    before.undo();
    let index = Index::shipped();
    let size = view.board.size();
    for found in index.matches_at(before.board(), last, &NoFates) {
        let (pattern, purpose) = (index.pattern(&found), index.purpose(&found));
        let asked = found.moves(pattern, &pattern.moves, size);
        for asked in asked.filter(|asked| asked.at == last && asked.color != view.color) {
            for answer in found.moves(pattern, &asked.branch.replies, size) {
                if answer.color != view.color || !view.may_play(answer.branch.kind) {
                    continue;
                }
                let (at, branch) = (answer.at, answer.branch);
                let told = Told { found: &found, pattern, at, branch, purpose };
                // How often it was the answer, where somebody counted.
                let share = f64::from(branch.played) / f64::from(asked.branch.played.max(1));
                let value = if pattern.seen == 0 { ANSWER } else { ANSWER * share };
                let cannot_wait = asked.branch.kind == Kind::Urgent || branch.kind == Kind::Urgent;
                let is_urgent = cannot_wait && (pattern.seen == 0 || share >= CANNOT_WAIT);
                out.suggest(view, at, Reason { is_urgent, ..reason(view, rule, &told, value) });
            }
        }
    }
}

fn reason(view: &View<'_>, rule: &'static Rule, told: &Told<'_>, value: f64) -> Reason {
    let Told { found, pattern, branch, .. } = *told;
    let words = if branch.words == Default::default() { &pattern.words } else { &branch.words };
    let known = KnownPattern {
        name: pattern.name.clone(),
        seen: pattern.seen,
        played: branch.played,
        won: branch.won,
        words: words.clone(),
    };
    let mut spare = match view.analysis.style.variations {
        Variations::MostPlayed => 0,
        Variations::Unfolded => UNFOLDED - 1,
    };
    let mut lines = Vec::new();
    unfold(view, found, pattern, branch, Vec::new(), &mut spare, &mut lines);
    let mut lines = lines.into_iter();
    let main = lines.next().unwrap_or_default();
    Reason {
        pattern: Some(known),
        variations: lines.collect(),
        is_urgent: told.cannot_wait(),
        ..Reason::of(rule).plus(value).by(main)
    }
}

/// Lines that are unfolded of a pattern.
const UNFOLDED: usize = 4;

/// Lines of the tree from a move on, the most played first; `spare` is how many there may be beside it.
fn unfold(
    view: &View<'_>,
    found: &Match,
    pattern: &Pattern,
    branch: &Branch,
    mut line: Vec<(Color, Point)>,
    spare: &mut usize,
    lines: &mut Vec<Vec<(Color, Point)>>,
) {
    let Some(at) = found.point(pattern, branch.at, view.board.size()) else { return lines.push(line) };
    line.push((found.color(branch.color), at));
    let replies = &branch.replies;
    // Of answers that were played as often the first counts.
    let most = (0..replies.len()).rev().max_by_key(|&number| replies[number].played);
    let Some(most) = most else { return lines.push(line) };
    // Early variations go before late ones: they are chosen before the usual line is followed.
    let others = (0..replies.len()).filter(|&number| number != most && replies[number].kind != Kind::Bad);
    let chosen: Vec<usize> = std::iter::once(most).chain(others.take(*spare)).collect();
    *spare -= chosen.len() - 1;
    for number in chosen {
        unfold(view, found, pattern, &replies[number], line.clone(), spare, lines);
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Position, Rules};

    use crate::words::reason;
    use crate::{Analysis, Family, NoOracle, rules};
    use ishi_words::Language;

    /// White has approached a star point: the answers that strong players give are suggested, with their counts.
    #[test]
    fn patterns_suggest_moves_and_tell_their_counts() {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for vertex in ["Q16", "D4", "Q4", "R6"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        let analysis = Analysis::of(&position, &mut NoOracle);
        let suggestions = rules::suggest(&position, &analysis);
        let told: Vec<_> = suggestions
            .iter()
            .flat_map(|suggestion| suggestion.reasons.iter().map(move |reason| (suggestion.mv, reason)))
            .filter(|(_, reason)| {
                reason.rule.family == Family::Pattern && reason.rule.name == "mined-pattern"
            })
            .collect();
        let (mv, answer) = told.iter().find(|(mv, _)| mv.to_string() == "O3").expect("the usual answer");
        let known = answer.pattern.as_ref().unwrap();
        assert!(known.seen >= known.played && known.played >= known.won && known.won > 0, "{known:?}");
        assert_eq!(answer.sequence[0], (position.to_move(), *mv));
        let text = reason(answer, Language::English);
        let counts = format!("seen {} times, played {}", known.seen, known.played);
        assert!(text.contains(&known.name) && text.contains(&counts), "{text}");
        assert!(reason(answer, Language::Japanese).contains(&known.played.to_string()));
        // One reason a move: the pattern that is played most often where it is seen.
        let mut moves: Vec<_> = told.iter().map(|(mv, _)| *mv).collect();
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), told.len());
    }

    /// An own stone in atari with room in front: a pattern that claims its liberties, written by hand.
    #[test]
    fn patterns_by_hand_speak_in_their_own_words() {
        let diagram = "
            . . . . . . .
            . . . O . . .
            . . O X . . .
            . . . O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
        ";
        let diagram: ishi_go::Diagram = diagram.parse().unwrap();
        let position = diagram.position(Rules::CHINESE, ishi_go::Color::Black).unwrap();
        let suggestions = rules::suggest(&position, &Analysis::of(&position, &mut NoOracle));
        let run = suggestions.iter().find(|suggestion| suggestion.mv.to_string() == "E5").unwrap();
        let known = run.reasons.iter().find(|reason| reason.rule.name == "hand-pattern").unwrap();
        let text = reason(known, Language::English);
        assert!(text.contains("run-from-atari: extends where there is room"), "{text}");
        assert!(reason(known, Language::Japanese).contains("ノビる"));
    }

    fn rules_told(position: &Position, style: &str) -> Vec<(String, &'static str, bool)> {
        let analysis = Analysis::by(style.parse().unwrap(), position, &mut NoOracle);
        let suggestions = rules::suggest(position, &analysis);
        let told =
            suggestions.iter().flat_map(|found| found.reasons.iter().map(move |reason| (found.mv, reason)));
        told.filter(|(_, reason)| reason.rule.family == Family::Pattern)
            .map(|(mv, reason)| (mv.to_string(), reason.rule.name, reason.is_urgent))
            .collect()
    }

    fn after(vertices: &[&str]) -> Position {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for vertex in vertices {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        position
    }

    #[test]
    fn patterns_have_purposes_where_the_style_says_so() {
        let position = after(&["Q16", "D4", "Q4", "R6"]);
        let names = |style: &str| -> Vec<&'static str> {
            rules_told(&position, style).into_iter().map(|(_, name, _)| name).collect()
        };
        assert!(names("ishi").contains(&"mined-pattern"));
        let with = names("purposes=yes");
        assert!(!with.contains(&"mined-pattern") && with.iter().any(|name| name.starts_with("pattern-")));
        assert!(!with.contains(&"pattern-endgame"), "no borders in the opening");
    }

    /// A peep at a one-point jump: what a hand has called urgent cannot wait.
    #[test]
    fn a_move_that_a_hand_called_urgent_cannot_wait() {
        let position = after(&["D4", "Q16", "F4", "E5"]);
        let told = rules_told(&position, "many-faces");
        let connects = told.iter().find(|(mv, name, _)| mv == "E4" && *name == "hand-pattern");
        assert!(connects.is_some_and(|(_, _, is_urgent)| *is_urgent), "{told:?}");
        let analysis = Analysis::by("many-faces".parse().unwrap(), &position, &mut NoOracle);
        assert!(rules::suggest(&position, &analysis)[0].is_urgent);
    }

    /// After Black's move of the net White has answers, and Black's answers to these are in the pattern only.
    #[test]
    fn what_a_pattern_has_after_the_last_move_is_suggested() {
        let diagram: ishi_go::Diagram = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . X X . . . . .
            . X O . . . . . .
            . X . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
        "
        .parse()
        .unwrap();
        let mut position = diagram.position(Rules::CHINESE, ishi_go::Color::Black).unwrap();
        let net = position.size().parse_move("D4").unwrap();
        position.play(ishi_go::Color::Black, net).unwrap();
        let answers = rules_told(&position, "move-kinds=acting");
        assert!(answers.iter().any(|(_, name, _)| *name == "pattern-answer"), "{answers:?}");
        assert!(!rules_told(&position, "ishi").iter().any(|(_, name, _)| *name == "pattern-answer"));
    }
}
