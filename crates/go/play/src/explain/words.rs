//! An explanation in words.

use std::fmt::Write;

use ishi_go::{Color, Move, Point};
use ishi_knowledge::{Group, GroupStrength, words};
use ishi_words::Language;

use super::NEAR;
use super::explanation::{ComparedMove, ExplainedMove, Explanation};
use super::say::teaching_text;
use super::teach::{teach_move, teach_question};
use super::value::{MoveVerdict, is_chance_low, is_low_by_handicap};

/// What matters of a move: how the game stands, the verdict with its reason, what proves it, what is better, and the moves that were asked
/// about. See [`teach_move`].
pub fn explanation_text(explanation: &Explanation, language: Language) -> String {
    taught_text(&ExplanationTeller { explanation, language, marks: false })
}

/// The same, and all details: reasons, shapes and patterns of each move, what happens if it is not played, other moves, groups.
pub fn detailed_text(explanation: &Explanation, language: Language) -> String {
    explanation_text(explanation, language) + &details_text(explanation, language)
}

/// The details alone.
pub fn details_text(explanation: &Explanation, language: Language) -> String {
    ExplanationTeller { explanation, language, marks: false }.details()
}

/// The explanation as a comment in a record, where other moves are marked A and B, and those asked about a and b: the marks stand beside
/// their names.
pub fn marked_explanation_text(explanation: &Explanation, language: Language, details: bool) -> String {
    let teller = ExplanationTeller { explanation, language, marks: true };
    let rest = if details { teller.details() } else { teller.list_marks() };
    (taught_text(&teller) + &rest).trim().to_string()
}

fn taught_text(teller: &ExplanationTeller<'_>) -> String {
    let mut text = format!("{}\n{}", teller.describe_state(), teller.teach_explained());
    for question in &teller.explanation.why_not {
        text.push_str(&teller.answer_why_not(question));
    }
    text
}

/// What is said of the move, a line each: verdict, reason, line, better move, principle.
pub fn move_comment(explanation: &Explanation, language: Language) -> String {
    ExplanationTeller { explanation, language, marks: false }.teach_explained().trim_end().to_string()
}

/// Which move each mark of a record is: `Marks: A E9, a H7`; nothing if there are none.
pub fn marks_text(explanation: &Explanation, language: Language) -> String {
    ExplanationTeller { explanation, language, marks: true }.list_marks()
}

/// A difference in points and in per cent of the chance to win; what is nothing is not told, as long as the other is something.
pub fn difference_text(points: f64, share: f64, language: Language) -> String {
    match (language, points >= 0.5, share >= 0.5) {
        (Language::English, true, true) => {
            format!("{points:.1} points and {share:.0} % of the chance to win")
        }
        (Language::English, true, false) => format!("{points:.1} points"),
        (Language::English, false, _) => format!("{share:.0} % of the chance to win"),
        (Language::Japanese, true, true) => format!("{points:.1}目、勝率{share:.0}%"),
        (Language::Japanese, true, false) => format!("{points:.1}目"),
        (Language::Japanese, false, _) => format!("勝率{share:.0}%"),
    }
}

/// Why the moves that were asked about are not best.
pub fn why_not_text(explanation: &Explanation, language: Language) -> String {
    let teller = ExplanationTeller { explanation, language, marks: false };
    explanation.why_not.iter().map(|question| teller.answer_why_not(question)).collect()
}

/// Moves of the opponent that are told at most.
const THREATS: usize = 2;
/// Groups that are told at most.
const MOST_GROUPS: usize = 8;

struct ExplanationTeller<'a> {
    explanation: &'a Explanation,
    language: Language,
    /// Are other moves told with their marks?
    marks: bool,
}

impl ExplanationTeller<'_> {
    fn teach_explained(&self) -> String {
        teaching_text(&teach_move(self.explanation), self.language)
    }

    /// Why not this move? What it loses, why, and how it is answered.
    fn answer_why_not(&self, question: &ComparedMove) -> String {
        let name = self.marked_name(question);
        let told = match teach_question(self.explanation, question) {
            Some(teaching) => teaching_text(&teaching, self.language),
            None => {
                self.in_language("It is the move explained here.\n", "ここで説明した手です。\n").to_string()
            }
        };
        match self.language {
            Language::English => format!("\nWhy not {name}?\n{told}"),
            Language::Japanese => format!("\n{name}ではどうか：\n{told}"),
        }
    }

    /// Which move each mark is.
    fn list_marks(&self) -> String {
        let Explanation { alternatives, why_not, .. } = self.explanation;
        let name = |(letter, other): (char, &ComparedMove)| format!("{letter} {}", other.mv.reasons.mv);
        let marks: Vec<String> =
            ('A'..='Z').zip(alternatives).chain(('a'..='z').zip(why_not)).map(name).collect();
        match (marks.is_empty(), self.language) {
            (true, _) => String::new(),
            (false, Language::English) => format!("\nMarks: {}\n", marks.join(", ")),
            (false, Language::Japanese) => format!("\n印：{}\n", marks.join("、")),
        }
    }

    /// All that is known of the moves.
    fn details(&self) -> String {
        let others = self.describe_move() + &self.describe_if_not_played() + &self.list_alternatives();
        others + &self.list_groups()
    }

    fn in_language<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    fn move_name(&self, color: Color, mv: impl std::fmt::Display) -> String {
        format!("{} {mv}", words::color_name(color, self.language))
    }

    /// The same of a move that has a mark: A, B if it is one of the other moves, a, b if it was asked about.
    fn marked_name(&self, other: &ComparedMove) -> String {
        let ExplainedMove { reasons, .. } = &other.mv;
        let name = self.move_name(reasons.color, reasons.mv);
        let Explanation { alternatives, why_not, .. } = self.explanation;
        let place = |list: &[ComparedMove]| list.iter().position(|known| known.mv.reasons.mv == reasons.mv);
        let letter = |list, first: char| place(list).and_then(|n| (first..).nth(n));
        match letter(alternatives, 'A').or_else(|| letter(why_not, 'a')).filter(|_| self.marks) {
            Some(letter) => self.language.choose(format!("{name} ({letter})"), format!("{name}（{letter}）")),
            None => name,
        }
    }

    /// Phase, score, chances.
    fn describe_state(&self) -> String {
        let Explanation { analysis, color, played, black_lead, .. } = self.explanation;
        let mover = words::color_name(*color, self.language);
        let phase = words::phase_name(analysis.phase, self.language);
        let number = played + 1;
        let (lead, chance) = (tell_lead(*black_lead, self.language), self.describe_chance());
        self.language.choose(
            format!("Move {number}, {mover} to play; {phase}. {lead}{chance}.\n"),
            format!("{number}手目、{mover}番、{phase}。{lead}{chance}。\n"),
        )
    }

    /// Black's chance to win, behind the lead. One that is low beside the lead is told with its reason, which is a handicap; without that it
    /// would only contradict the lead, and is left out.
    fn describe_chance(&self) -> String {
        let Explanation { position, black_lead, black_win_rate, .. } = self.explanation;
        let share = 100.0 * black_win_rate;
        let (english, japanese) = if is_low_by_handicap(*black_lead, *black_win_rate, position.handicap()) {
            low_chance_reason()
        } else if is_chance_low(*black_lead, *black_win_rate) {
            return String::new();
        } else {
            ("", "")
        };
        self.language.choose(
            format!(", and Black's chance to win is {share:.0} %{english}"),
            format!("、黒の勝率{share:.0}%{japanese}"),
        )
    }

    /// The reasons of a move, one a line.
    fn list_reasons(&self, mv: &ExplainedMove) -> String {
        let mut text = String::new();
        for reason in mv.reasons.all_reasons() {
            let _ = writeln!(text, "  {}", words::describe_reason(reason, self.language));
        }
        if text.is_empty() {
            let place = self.in_language("no rule has a name for it", "当てはまる規則なし");
            let _ = writeln!(text, "  {place}");
        }
        for chain in mv.surroundings.iter().filter(|chain| chain.touched) {
            let _ = writeln!(text, "  {}", words::describe_nearby(chain, self.language));
        }
        text
    }

    /// The reasons of a move in one line.
    fn reasons_in_short(&self, mv: &ExplainedMove) -> String {
        let told: Vec<String> =
            mv.reasons.all_reasons().take(2).map(|r| words::describe_reason(r, self.language)).collect();
        told.join(self.in_language("; ", "、"))
    }

    fn describe_move(&self) -> String {
        let Some(mv) = &self.explanation.mv else {
            return self.describe_pass().to_string();
        };
        let name = self.move_name(mv.reasons.color, mv.reasons.mv);
        let rank = match (mv.reasons.rank, self.language) {
            (Some(n), Language::English) => format!(" (number {n} of the moves that rules suggest)"),
            (Some(n), Language::Japanese) => format!("（規則の候補の{n}番目）"),
            (None, Language::English) => " (suggested by no rule)".to_string(),
            (None, Language::Japanese) => "（規則の候補になし）".to_string(),
        };
        let mut text = format!("\n{name}{rank}\n{}", self.list_reasons(mv));
        let _ = writeln!(text, "  {} {}", self.in_language("goes on:", "続き："), self.continuation_text(mv));
        if let Some(answer) = &self.explanation.answer {
            text.push_str(&self.describe_answer(answer, mv.reasons.mv, ""));
        }
        text
    }

    fn describe_pass(&self) -> &'static str {
        let Explanation { alternatives, why_not, .. } = self.explanation;
        let is_bad = alternatives.iter().chain(why_not).any(|other| other.verdict == MoveVerdict::Better);
        match (self.language, is_bad) {
            (Language::English, false) => "\nA pass: no other move is better beyond the search's noise.\n",
            (Language::English, true) => "\nA pass: other moves are better.\n",
            (Language::Japanese, false) => "\nパス：探索の誤差を超えて良い手はありません。\n",
            (Language::Japanese, true) => "\nパス：もっと良い手があります。\n",
        }
    }

    /// The expected continuation.
    fn continuation_text(&self, mv: &ExplainedMove) -> String {
        let mut color = mv.reasons.color;
        let mut moves: Vec<(Color, Point)> = Vec::new();
        for step in &mv.variation {
            if let Move::Play(point) = step {
                moves.push((color, *point));
            }
            color = !color;
        }
        words::describe_sequence(&moves[..moves.len().min(6)], self.language)
    }

    /// What happens if the move is not played: the moves that undo what it does, then what the search would play, be it elsewhere.
    fn describe_if_not_played(&self) -> String {
        let Some(best) = &self.explanation.mv else { return String::new() };
        let expected = self.explanation.otherwise.as_ref();
        let opponent = !self.explanation.color;
        let head = self.in_language("If it is not played", "打たないと");
        let colon = self.in_language(": ", "：");
        let mut text = String::new();
        let mut told: Vec<Point> = Vec::new();
        for threat in &self.explanation.threats {
            if !told.contains(&threat.mv) {
                let head = if told.is_empty() { head } else { self.in_language("Or", "または") };
                let _ = write!(text, "\n{head}{colon}{}\n", self.move_name(opponent, threat.mv));
                text.push_str(&self.list_threats(threat.mv));
                told.push(threat.mv);
            }
            if told.len() == THREATS {
                break;
            }
        }
        match expected {
            Some(mv) if told.contains(&mv.reasons.mv) => {}
            Some(mv) => {
                let head = match told.is_empty() {
                    true => head,
                    false => self.in_language("The search would then play", "探索ならそこで"),
                };
                let is_here = mv.reasons.mv.lines_to(best.reasons.mv) <= NEAR;
                let place = if is_here { "" } else { self.in_language(", elsewhere", "（他所）") };
                let name = self.move_name(mv.reasons.color, mv.reasons.mv);
                let _ = write!(text, "\n{head}{colon}{name}{place}\n{}", self.list_reasons(mv));
            }
            None if told.is_empty() => {
                let _ = write!(
                    text,
                    "\n{head}{colon}{}\n",
                    self.in_language("the opponent passes, too", "相手もパス")
                );
            }
            None => {}
        }
        text
    }

    /// What a move of the opponent undoes, one a line.
    fn list_threats(&self, mv: Point) -> String {
        let threats = self.explanation.threats.iter().filter(|threat| threat.mv == mv);
        threats
            .map(|threat| format!("  {}\n", words::describe_reason(&threat.reason, self.language)))
            .collect()
    }

    /// How a move is beside the one that is explained.
    fn describe_verdict(&self, other: &ComparedMove) -> String {
        let sign = if other.verdict == MoveVerdict::Better { 1.0 } else { -1.0 };
        let [points, share] = [sign * other.gain[0], 100.0 * sign * other.gain[1]];
        let (word, loss) = match other.verdict {
            MoveVerdict::AsGood => {
                return self
                    .in_language(
                        "not clearly better or worse: the difference is within the search's noise",
                        "優劣は分かりません（差は探索の誤差の範囲）",
                    )
                    .into();
            }
            MoveVerdict::Better => ("better", "得"),
            MoveVerdict::Worse => ("worse", "損"),
        };
        let difference = difference_text(points, share, self.language);
        match self.language {
            Language::English => format!("{word} by {difference}"),
            Language::Japanese => format!("{difference}の{loss}"),
        }
    }

    /// Why one of two moves is better, a line each: what it does and the other does not, and what the opponent does after the other.
    fn explain_verdict(&self, other: &ComparedMove) -> String {
        if other.verdict == MoveVerdict::AsGood {
            return String::new();
        }
        let mut text = String::new();
        let told = other.missing.iter().filter_map(|reason| Some((reason, self.explanation.mv.as_ref()?)));
        for (reason, best) in told {
            let [mut good, mut bad] = [best.reasons.mv, other.mv.reasons.mv];
            if other.verdict == MoveVerdict::Better {
                std::mem::swap(&mut good, &mut bad);
            }
            let told = words::describe_reason(reason, self.language);
            let _ = match self.language {
                Language::English => {
                    let not = if told.starts_with("is ") { "is not" } else { "does not" };
                    writeln!(text, "    {good} {told}; {bad} {not}")
                }
                Language::Japanese => writeln!(text, "    {good}なら{told}（{bad}では違います）"),
            };
        }
        if let Some(answer) = other.answer.as_ref().filter(|_| other.verdict == MoveVerdict::Worse) {
            text.push_str(&self.describe_answer(answer, other.mv.reasons.mv, "  "));
        }
        let line = match self.language {
            Language::English => {
                format!("    the search expects {} after it", self.continuation_text(&other.mv))
            }
            Language::Japanese => format!("    探索の予想：{}", self.continuation_text(&other.mv)),
        };
        let _ = writeln!(text, "{line}");
        text
    }

    /// The opponent's answer, and what it does.
    fn describe_answer(&self, answer: &ExplainedMove, mv: Point, indent: &str) -> String {
        let by = self.move_name(answer.reasons.color, answer.reasons.mv);
        let told = self.reasons_in_short(answer);
        let is_here = |best: &ExplainedMove| best.reasons.mv == answer.reasons.mv;
        let place = if self.explanation.mv.as_ref().is_some_and(is_here) {
            self.in_language(" at the point of the move explained above", "（上で説明した点）")
        } else if answer.reasons.mv.lines_to(mv) > NEAR {
            self.in_language(", elsewhere", "（他所）")
        } else {
            ""
        };
        match self.language {
            Language::English if told.is_empty() => format!("{indent}  {by} answers{place}\n"),
            Language::English => format!("{indent}  {by} answers{place}: it {told}\n"),
            Language::Japanese if told.is_empty() => format!("{indent}  {by}{place}と応じます\n"),
            Language::Japanese => format!("{indent}  {by}{place}と応じ、{told}\n"),
        }
    }

    fn list_alternatives(&self) -> String {
        if self.explanation.alternatives.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}\n", self.in_language("Other moves", "他の手"));
        for other in &self.explanation.alternatives {
            let name = self.marked_name(other);
            let reasons = self.reasons_in_short(&other.mv);
            let reasons = match (reasons.is_empty(), self.language) {
                (true, _) => String::new(),
                (false, Language::English) => format!(" {reasons}"),
                (false, Language::Japanese) => format!("：{reasons}"),
            };
            let verdict = self.describe_verdict(other);
            let _ = match self.language {
                Language::English => writeln!(text, "  {name}{reasons}: {verdict}"),
                Language::Japanese => writeln!(text, "  {name}{reasons}：{verdict}"),
            };
            text.push_str(&self.explain_verdict(other));
        }
        text
    }

    /// Groups that have to be looked after, the worst first.
    fn list_groups(&self) -> String {
        let groups = self.explanation.groups_in_doubt();
        let mut text = groups_text(&groups[..groups.len().min(MOST_GROUPS)], self.language);
        if text.is_empty() {
            let none = "  all of two stones and more are stable or alive\n";
            text.push_str(self.in_language(none, "  二子以上の石はすべて安定しているか活きています\n"));
        }
        format!("\n{}\n{text}", self.in_language("Groups before the move", "着手前の石の強弱"))
    }
}

/// Groups, a line each. Under each stand its rivals: they are one fight, if the next move decides about one side of it.
fn groups_text(groups: &[&Group], language: Language) -> String {
    let mut text = String::new();
    let mut told: Vec<Point> = Vec::new();
    for &group in groups {
        if told.contains(&group.name()) {
            continue;
        }
        told.push(group.name());
        let is_untold = |rival: &&&Group| is_fight(group, rival) && !told.contains(&rival.name());
        let rivals: Vec<&Group> = groups.iter().filter(is_untold).copied().collect();
        let _ = writeln!(text, "  {}", group_line(group, groups, language));
        for rival in rivals {
            let against = language.choose("against ", "相手：");
            let _ = writeln!(text, "    {against}{}", group_line(rival, groups, language));
            told.push(rival.name());
        }
    }
    text
}

/// Are two groups rivals of which the next move decides about one at least?
fn is_fight(group: &Group, rival: &Group) -> bool {
    let is_critical = [group, rival].iter().any(|side| side.strength == GroupStrength::Critical);
    is_critical && group.color != rival.color && group.neighbours.contains(&rival.name())
}

fn group_line(group: &Group, groups: &[&Group], language: Language) -> String {
    let name = format!("{} {}", words::color_name(group.color, language), group.name());
    let (count, state) = (group.stones.len(), group_state(group, groups, language));
    language.choose(format!("{name} ({count} stones): {state}"), format!("{name}（{count}子）：{state}"))
}

/// How strong a group is, with the moves that decide. What is dead while a rival is critical may live if that falls.
fn group_state(group: &Group, groups: &[&Group], language: Language) -> String {
    let state = words::describe_strength(group.strength, language);
    let name_of = |color: Color, point: Point| format!("{} {point}", words::color_name(color, language));
    let fate = group.fate.filter(|_| group.strength == GroupStrength::Critical);
    if let Some((save, kill)) = fate.and_then(|fate| fate.save.zip(fate.kill)) {
        let (save, kill) = (name_of(group.color, save), name_of(!group.color, kill));
        return language.choose(
            format!("{state} ({save} saves it, {kill} kills it)"),
            format!("{state}（{save}で活き、{kill}で死）"),
        );
    }
    let is_open = |rival: &&&Group| rival.strength == GroupStrength::Critical && is_fight(group, rival);
    match groups.iter().find(is_open).filter(|_| group.strength == GroupStrength::Dead) {
        Some(rival) => {
            let rival = name_of(rival.color, rival.name());
            language.choose(
                format!("{state}, unless {rival} falls"),
                format!("{state}（{rival}が取られなければ）"),
            )
        }
        None => state.to_string(),
    }
}

/// Why a chance is low beside a lead in a game with a handicap, behind that chance, in English and in Japanese.
pub(super) fn low_chance_reason() -> (&'static str, &'static str) {
    let english = " (low for such a lead: with a handicap White is taken for the stronger player)";
    (english, "（置碁では白を上手と見るので、リードのわりに低くなります）")
}

/// Who leads by how much. Within a point nobody does: the chances, which are judged apart, may see the other side ahead.
fn tell_lead(black_lead: f64, language: Language) -> String {
    let points = black_lead.abs();
    let leader = words::color_name(if black_lead >= 0.0 { Color::Black } else { Color::White }, language);
    match language {
        Language::English if points < 1.0 => "The game is even within a point".to_string(),
        Language::Japanese if points < 1.0 => "差は1目以内で互角".to_string(),
        Language::English => format!("{leader} leads by {points:.1} points"),
        Language::Japanese => format!("{leader}が{points:.1}目リード"),
    }
}

#[cfg(test)]
mod tests {
    use ishi_knowledge::Fate;

    use super::super::owners::tests::{CORNER, HandMade};
    use super::super::scripted::lesson_of_blunder;
    use super::*;

    /// Nobody is simply dead beside a rival whose fate is open, and both sides of a fight stand together.
    #[test]
    fn rivals_are_told_as_one_fight() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let group_of = |vertex: &str| {
            let stone = made.point(vertex);
            made.analysis.groups.iter().find(|group| group.stones.contains(stone)).unwrap().clone()
        };
        let (kill, save) = (Some(made.point("C7")), Some(made.point("D5")));
        let fate = Some(Fate { strength: GroupStrength::Critical, kill, save });
        let own = Group { strength: GroupStrength::Critical, fate, ..group_of("C5") };
        let wall = Group { strength: GroupStrength::Dead, fate: None, ..group_of("E6") };
        let (name, count) = (wall.name(), wall.stones.len());
        let decided = "critical: the next move decides (Black D5 saves it, White C7 kills it)";
        let expected = format!(
            "  White {name} ({count} stones): dead, unless Black C5 falls\n    against Black C5 (3 stones): {decided}\n"
        );
        assert_eq!(groups_text(&[&wall, &own], Language::English), expected);
        let japanese = groups_text(&[&own, &wall], Language::Japanese);
        assert!(
            japanese.starts_with("  黒 C5（3子）：次の一手で決まる（黒 D5で活き、白 C7で死）"),
            "{japanese}"
        );
        assert!(
            japanese.contains("    相手：白 ") && japanese.contains("死（黒 C5が取られなければ）"),
            "{japanese}"
        );
        let weak = Group { strength: GroupStrength::Weak, fate: None, ..own };
        let apart = groups_text(&[&wall, &weak], Language::English);
        assert!(!apart.contains("against") && !apart.contains("unless"), "nothing is open: {apart}");
    }

    #[test]
    fn a_low_chance_is_told_with_its_reason_or_not_at_all() {
        let stated = |black_lead: f64, black_win_rate: f64, handicap: usize| {
            let mut explanation = lesson_of_blunder().explanation;
            explanation.position.set_handicap(handicap);
            (explanation.black_lead, explanation.black_win_rate) = (black_lead, black_win_rate);
            [Language::English, Language::Japanese].map(|language| {
                let teller = ExplanationTeller { explanation: &explanation, language, marks: false };
                teller.describe_state()
            })
        };
        let [english, japanese] = stated(70.7, 0.7, 6);
        let told = "Black leads by 70.7 points, and Black's chance to win is 70 % (low for such a lead: with a handicap White is taken \
                    for the stronger player).\n";
        assert!(english.ends_with(told), "{english}");
        let told =
            "黒が70.7目リード、黒の勝率70%（置碁では白を上手と見るので、リードのわりに低くなります）。\n";
        assert!(japanese.ends_with(told), "{japanese}");
        for handicap in [0, 4] {
            let [english, japanese] = stated(-25.0, 0.3, handicap);
            assert!(english.ends_with("White leads by 25.0 points.\n"), "{english}");
            assert!(japanese.ends_with("白が25.0目リード。\n"), "{japanese}");
        }
        for (lead, chance, handicap) in [(70.7, 0.97, 6), (10.0, 0.55, 2), (-30.0, 0.1, 0)] {
            let [english, japanese] = stated(lead, chance, handicap);
            let share = 100.0 * chance;
            assert!(
                english.ends_with(&format!(", and Black's chance to win is {share:.0} %.\n")),
                "{english}"
            );
            assert!(japanese.ends_with(&format!("、黒の勝率{share:.0}%。\n")), "{japanese}");
        }
    }

    #[test]
    fn within_a_point_nobody_leads() {
        assert_eq!(tell_lead(-0.5, Language::English), "The game is even within a point");
        assert_eq!(tell_lead(0.99, Language::Japanese), "差は1目以内で互角");
        assert_eq!(tell_lead(-1.0, Language::English), "White leads by 1.0 points");
        assert_eq!(tell_lead(12.34, Language::Japanese), "黒が12.3目リード");
    }
}
