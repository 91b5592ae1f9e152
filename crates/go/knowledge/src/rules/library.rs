//! Patterns of the database ([`ishi_patterns::library`]): what was mined, and what was written by hand.

use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{MovePurpose, NoFates, Pattern, PatternBranch, PatternIndex, PatternMatch};

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::reasons::{KnownPattern, Reason, RuleFamily};
use crate::strategy::{GameBalance, GamePhase};
use crate::style::{MoveKinds, PatternPurposes, Variations};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("mined-pattern", RuleFamily::Pattern, 0.0, "follows pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}の手です（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Find(suggest_mined_patterns)),
    new_rule("hand-pattern", RuleFamily::Pattern, 1.0, "follows pattern {pattern}: {words}", "パターン{pattern}の手です：{words}", Condition::Find(suggest_hand_patterns)),
    new_rule("pattern-cut", RuleFamily::Pattern, 1.0, "cuts as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように切ります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-connect", RuleFamily::Pattern, 1.0, "connects as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のようにつなぎます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-life", RuleFamily::Pattern, 1.0, "is about eyes as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように眼形にかかわります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-endgame", RuleFamily::Pattern, 0.5, "draws the border as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように境界を決めます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-invade", RuleFamily::Pattern, 0.5, "enters as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように入ります（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-prevent", RuleFamily::Pattern, 0.5, "keeps the opponent from entering as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように進入を防ぎます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-break-out", RuleFamily::Pattern, 0.5, "gets out as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように外へ出ます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-enclose", RuleFamily::Pattern, 0.5, "keeps in as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように封じます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-shape", RuleFamily::Pattern, 0.0, "makes shape as in pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}のように形を整えます（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Read),
    new_rule("pattern-answer", RuleFamily::Pattern, 0.0, "is what pattern {pattern} has for the last move", "パターン{pattern}のように直前の手に応じます", Condition::Find(suggest_pattern_answers)),
];

/// Points for a move that is always played where its pattern is seen.
const ALWAYS: f64 = 7.0;
/// Points for an answer that a pattern has to the last move.
const ANSWER: f64 = 3.0;
/// What is played in so large a share of the places where it is seen cannot wait: in a mined pattern nobody has said so.
const CANNOT_WAIT: f64 = 0.75;

/// The rule of a purpose.
fn rule_of_purpose(purpose: MovePurpose) -> &'static Rule {
    super::rule_named(match purpose {
        MovePurpose::Cut => "pattern-cut",
        MovePurpose::Connect => "pattern-connect",
        MovePurpose::Life => "pattern-life",
        MovePurpose::Endgame => "pattern-endgame",
        MovePurpose::Invade => "pattern-invade",
        MovePurpose::Prevent => "pattern-prevent",
        MovePurpose::BreakOut => "pattern-break-out",
        MovePurpose::Enclose => "pattern-enclose",
        MovePurpose::Shape => "pattern-shape",
    })
}

/// Does a pattern of this purpose suggest moves now? Borders are not drawn in the opening, and nobody enters at the end. The document
/// gives no such rule; it says that the phase and the balance of the game tell which generators fit.
fn purpose_fits_now(view: &RuleContext<'_>, purpose: MovePurpose) -> bool {
    match (purpose, view.analysis.phase) {
        (MovePurpose::Endgame, GamePhase::Opening) => false,
        (MovePurpose::Invade | MovePurpose::Prevent, GamePhase::Endgame) => false,
        // Who is well ahead lets be what it need not enter.
        (MovePurpose::Invade, _) => view.analysis.balance < GameBalance::WellAhead,
        _ => true,
    }
}

/// A move of a pattern that matches.
struct PatternMove<'v> {
    found: &'v PatternMatch,
    pattern: &'static Pattern,
    at: Point,
    branch: &'static PatternBranch,
    purpose: MovePurpose,
}

impl PatternMove<'_> {
    /// The share of the places where the pattern was seen in which the move was played; 0 if nobody counted.
    fn played_share(&self) -> f64 {
        f64::from(self.branch.played) / f64::from(self.pattern.seen.max(1))
    }

    /// Does the pattern say that the move cannot wait? By hand it may; of mined patterns those moves count that are nearly always played.
    fn cannot_wait(&self) -> bool {
        if self.pattern.seen == 0 {
            self.branch.kind == MoveKind::Urgent
        } else {
            self.played_share() >= CANNOT_WAIT
        }
    }
}

/// Of all mined patterns that suggest a move the one that is most often played.
fn suggest_mined_patterns(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    let mut best: Vec<(Point, f64, Reason)> = Vec::new();
    for_each_pattern_move(view, |told| {
        if told.pattern.seen == 0 {
            return;
        }
        let rule = match view.analysis.style.purposes {
            PatternPurposes::No => rule,
            PatternPurposes::Yes => rule_of_purpose(told.purpose),
        };
        let share = told.played_share();
        let reason = || pattern_reason(view, rule, &told, ALWAYS * share);
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
fn suggest_hand_patterns(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for_each_pattern_move(view, |told| {
        if told.pattern.seen == 0 {
            let value = match view.analysis.style.purposes {
                PatternPurposes::No => 0.0,
                PatternPurposes::Yes => rule_of_purpose(told.purpose).value,
            };
            out.suggest(view, told.at, pattern_reason(view, rule, &told, value));
        }
    });
}

/// Goes through the moves that patterns suggest to the side to move; those that are known to be bad are left out.
fn for_each_pattern_move(view: &RuleContext<'_>, mut tell: impl FnMut(PatternMove<'_>)) {
    let index = PatternIndex::shipped();
    for found in &view.patterns {
        let (pattern, purpose) = (index.pattern_of(found), index.purpose_of(found));
        if view.analysis.style.purposes == PatternPurposes::Yes && !purpose_fits_now(view, purpose) {
            continue;
        }
        for suggested in found.suggested_moves(pattern, &pattern.moves, view.board.size()) {
            if suggested.color == view.color && view.may_play(suggested.branch.kind) {
                let (at, branch) = (suggested.at, suggested.branch);
                tell(PatternMove { found, pattern, at, branch, purpose });
            }
        }
    }
}

/// Where kinds of moves act: what patterns that began with the last move have as its answers. So a bad move is answered that nobody
/// would suggest, and an urgent one at once.
fn suggest_pattern_answers(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    if view.analysis.style.move_kinds == MoveKinds::Alike {
        return;
    }
    let Some(last) = view.last else { return };
    let mut before = view.position.clone();
    before.undo();
    let index = PatternIndex::shipped();
    let size = view.board.size();
    for found in index.find_matches_at(before.board(), last, &NoFates) {
        let (pattern, purpose) = (index.pattern_of(&found), index.purpose_of(&found));
        let asked = found.suggested_moves(pattern, &pattern.moves, size);
        for asked in asked.filter(|asked| asked.at == last && asked.color != view.color) {
            for answer in found.suggested_moves(pattern, &asked.branch.replies, size) {
                if answer.color != view.color || !view.may_play(answer.branch.kind) {
                    continue;
                }
                let (at, branch) = (answer.at, answer.branch);
                let told = PatternMove { found: &found, pattern, at, branch, purpose };
                // How often it was the answer, where somebody counted.
                let share = f64::from(branch.played) / f64::from(asked.branch.played.max(1));
                let value = if pattern.seen == 0 { ANSWER } else { ANSWER * share };
                let cannot_wait = asked.branch.kind == MoveKind::Urgent || branch.kind == MoveKind::Urgent;
                let is_urgent = cannot_wait && (pattern.seen == 0 || share >= CANNOT_WAIT);
                out.suggest(view, at, Reason { is_urgent, ..pattern_reason(view, rule, &told, value) });
            }
        }
    }
}

fn pattern_reason(view: &RuleContext<'_>, rule: &'static Rule, told: &PatternMove<'_>, value: f64) -> Reason {
    let PatternMove { found, pattern, branch, .. } = *told;
    let words = if branch.words == Default::default() { &pattern.words } else { &branch.words };
    let known = KnownPattern {
        name: pattern.name.clone(),
        title: pattern.words.clone(),
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
    unfold_pattern_lines(view, found, pattern, branch, Vec::new(), &mut spare, &mut lines);
    let mut lines = lines.into_iter();
    let main = lines.next().unwrap_or_default();
    Reason {
        pattern: Some(known),
        variations: lines.collect(),
        is_urgent: told.cannot_wait(),
        ..Reason::for_rule(rule).with_added_value(value).with_sequence(main)
    }
}

/// Lines that are unfolded of a pattern.
const UNFOLDED: usize = 4;

/// Lines of the tree from a move on, the most played first; `spare` is how many there may be beside it.
fn unfold_pattern_lines(
    view: &RuleContext<'_>,
    found: &PatternMatch,
    pattern: &Pattern,
    branch: &PatternBranch,
    mut line: Vec<(Color, Point)>,
    spare: &mut usize,
    lines: &mut Vec<Vec<(Color, Point)>>,
) {
    let Some(at) = found.board_point(pattern, branch.at, view.board.size()) else { return lines.push(line) };
    line.push((found.board_color(branch.color), at));
    let replies = &branch.replies;
    // Of answers that were played as often the first counts.
    let most = (0..replies.len()).rev().max_by_key(|&number| replies[number].played);
    let Some(most) = most else { return lines.push(line) };
    // Early variations go before late ones: they are chosen before the usual line is followed.
    let others = (0..replies.len()).filter(|&number| number != most && replies[number].kind != MoveKind::Bad);
    let chosen: Vec<usize> = std::iter::once(most).chain(others.take(*spare)).collect();
    *spare -= chosen.len() - 1;
    for number in chosen {
        unfold_pattern_lines(view, found, pattern, &replies[number], line.clone(), spare, lines);
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Position, Rules};

    use crate::words::describe_reason;
    use crate::{Analysis, NoOracle, RuleFamily, rules};
    use ishi_words::Language;

    /// White has approached a star point: the answers that strong players give are suggested, with their counts.
    #[test]
    fn patterns_suggest_moves_and_tell_their_counts() {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for vertex in ["Q16", "D4", "Q4", "R6"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        let suggestions = rules::suggest_moves(&position, &analysis);
        let told: Vec<_> = suggestions
            .iter()
            .flat_map(|suggestion| suggestion.reasons.iter().map(move |reason| (suggestion.mv, reason)))
            .filter(|(_, reason)| {
                reason.rule.family == RuleFamily::Pattern && reason.rule.name == "mined-pattern"
            })
            .collect();
        let (mv, answer) = told.iter().find(|(mv, _)| mv.to_string() == "O3").expect("the usual answer");
        let known = answer.pattern.as_ref().unwrap();
        assert!(known.seen >= known.played && known.played >= known.won && known.won > 0, "{known:?}");
        assert_eq!(answer.sequence[0], (position.to_move(), *mv));
        let text = describe_reason(answer, Language::English);
        let counts = format!("seen {} times, played {}", known.seen, known.played);
        assert!(text.contains(&known.name) && text.contains(&counts), "{text}");
        assert!(describe_reason(answer, Language::Japanese).contains(&known.played.to_string()));
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
        let position = diagram.to_position(Rules::CHINESE, ishi_go::Color::Black).unwrap();
        let suggestions = rules::suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
        let run = suggestions.iter().find(|suggestion| suggestion.mv.to_string() == "E5").unwrap();
        let known = run.reasons.iter().find(|reason| reason.rule.name == "hand-pattern").unwrap();
        let text = describe_reason(known, Language::English);
        assert!(text.contains("run-from-atari: extends where there is room"), "{text}");
        assert!(describe_reason(known, Language::Japanese).contains("ノビる"));
    }

    fn rules_told(position: &Position, style: &str) -> Vec<(String, &'static str, bool)> {
        let analysis = Analysis::analyze_in_style(style.parse().unwrap(), position, &mut NoOracle);
        let suggestions = rules::suggest_moves(position, &analysis);
        let told =
            suggestions.iter().flat_map(|found| found.reasons.iter().map(move |reason| (found.mv, reason)));
        told.filter(|(_, reason)| reason.rule.family == RuleFamily::Pattern)
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
        let analysis = Analysis::analyze_in_style("many-faces".parse().unwrap(), &position, &mut NoOracle);
        assert!(rules::suggest_moves(&position, &analysis)[0].is_urgent);
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
        let mut position = diagram.to_position(Rules::CHINESE, ishi_go::Color::Black).unwrap();
        let net = position.size().parse_move("D4").unwrap();
        position.play(ishi_go::Color::Black, net).unwrap();
        let answers = rules_told(&position, "move-kinds=acting");
        assert!(answers.iter().any(|(_, name, _)| *name == "pattern-answer"), "{answers:?}");
        assert!(!rules_told(&position, "ishi").iter().any(|(_, name, _)| *name == "pattern-answer"));
    }
}
