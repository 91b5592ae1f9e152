//! An explanation in words.

use std::fmt::Write;

use ishi_go::{Color, Move, Point};
use ishi_knowledge::words::{self, Language};
use ishi_knowledge::{Group, Strength};

use super::{ExplainedMove, Explanation, NEAR, WhyNot};

/// The whole explanation, in paragraphs.
pub fn tell(explanation: &Explanation, language: Language) -> String {
    let teller = Teller { explanation, language };
    let mut text = teller.state();
    text.push_str(&teller.the_move());
    text.push_str(&teller.otherwise());
    text.push_str(&teller.alternatives());
    for question in &explanation.why_not {
        text.push_str(&teller.why_not(question));
    }
    text.push_str(&teller.groups());
    text
}

/// The move and its reasons in a few lines, as a comment in a record.
pub fn comment(explanation: &Explanation, language: Language) -> String {
    let teller = Teller { explanation, language };
    (teller.the_move() + &teller.otherwise()).trim_end().to_string()
}

/// Why the moves that were asked about are not best.
pub fn why_not(explanation: &Explanation, language: Language) -> String {
    let teller = Teller { explanation, language };
    explanation.why_not.iter().map(|question| teller.why_not(question)).collect()
}

struct Teller<'a> {
    explanation: &'a Explanation,
    language: Language,
}

impl Teller<'_> {
    fn pick<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    fn name(&self, color: Color, mv: impl std::fmt::Display) -> String {
        format!("{} {mv}", words::color(color, self.language))
    }

    /// Phase, score, chances.
    fn state(&self) -> String {
        let Explanation { analysis, color, played, black_lead, black_win_rate, .. } = self.explanation;
        let leader = if *black_lead >= 0.0 { Color::Black } else { Color::White };
        let mover = words::color(*color, self.language);
        let phase = words::phase(analysis.phase, self.language);
        let (lead, share) = (black_lead.abs(), 100.0 * black_win_rate);
        let leader = words::color(leader, self.language);
        match self.language {
            Language::English => format!(
                "Move {}, {mover} to play; {phase}. {leader} leads by about {lead:.1} points; Black wins {share:.0} % of the playouts.\n",
                played + 1
            ),
            Language::Japanese => format!(
                "{}手目、{mover}番、{phase}。{leader}が約{lead:.1}目リード、黒の勝率{share:.0}%。\n",
                played + 1
            ),
        }
    }

    /// The reasons of a move, one a line.
    fn reasons(&self, mv: &ExplainedMove) -> String {
        let mut text = String::new();
        for reason in mv.reasons.all() {
            let _ = writeln!(text, "  {}", words::reason(reason, self.language));
        }
        if text.is_empty() {
            let nothing = self.pick("no rule has anything to say for it", "この手を勧める規則はありません");
            let _ = writeln!(text, "  {nothing}");
        }
        text
    }

    /// The reasons of a move in one line.
    fn in_short(&self, mv: &ExplainedMove) -> String {
        let told: Vec<String> = mv.reasons.all().take(2).map(|r| words::reason(r, self.language)).collect();
        told.join(self.pick("; ", "、"))
    }

    fn the_move(&self) -> String {
        let Some(mv) = &self.explanation.mv else {
            return self.pick("\nA pass needs no reasons.\n", "\nパスに理由は要りません。\n").to_string();
        };
        let name = self.name(mv.reasons.color, mv.reasons.mv);
        let rank = match (mv.reasons.rank, self.language) {
            (Some(n), Language::English) => format!(" (number {n} of the moves that rules suggest)"),
            (Some(n), Language::Japanese) => format!("（規則の候補の{n}番目）"),
            (None, Language::English) => " (suggested by no rule)".to_string(),
            (None, Language::Japanese) => "（規則の候補になし）".to_string(),
        };
        let mut text = format!("\n{name}{rank}\n{}", self.reasons(mv));
        let _ = writeln!(text, "  {} {}", self.pick("goes on:", "続き："), self.line(mv));
        text
    }

    /// The expected continuation.
    fn line(&self, mv: &ExplainedMove) -> String {
        let mut color = mv.reasons.color;
        let mut moves: Vec<(Color, Point)> = Vec::new();
        for step in &mv.variation {
            if let Move::Play(point) = step {
                moves.push((color, *point));
            }
            color = !color;
        }
        words::sequence(&moves[..moves.len().min(6)], self.language)
    }

    fn otherwise(&self) -> String {
        let Some(best) = &self.explanation.mv else { return String::new() };
        let Some(mv) = &self.explanation.otherwise else {
            return self
                .pick("\nIf it is not played: the opponent passes, too\n", "\n打たないと：相手もパス\n")
                .to_string();
        };
        let name = self.name(mv.reasons.color, mv.reasons.mv);
        let is_here = mv.reasons.mv.lines_to(best.reasons.mv) <= NEAR;
        let head = match (self.language, is_here) {
            (Language::English, true) => format!("\nIf it is not played: {name}\n"),
            (Language::English, false) => format!("\nIf it is not played: {name}, elsewhere\n"),
            (Language::Japanese, true) => format!("\n打たないと：{name}\n"),
            (Language::Japanese, false) => format!("\n打たないと：他所の{name}\n"),
        };
        head + &self.reasons(mv)
    }

    /// How much worse a move is than the one that is explained; nothing if it is not.
    fn worse(&self, mv: &ExplainedMove) -> String {
        let Some(best) = &self.explanation.mv else { return String::new() };
        let (points, share) = (best.score - mv.score, 100.0 * (best.win_rate - mv.win_rate));
        match (self.language, points > 0.5, share > 0.5) {
            (Language::English, true, true) => {
                format!("worse by {points:.1} points and {share:.0} % of the playouts")
            }
            (Language::English, true, false) => format!("worse by {points:.1} points"),
            (Language::English, false, true) => format!("worse by {share:.0} % of the playouts"),
            (Language::English, false, false) => "about as good".to_string(),
            (Language::Japanese, true, true) => format!("{points:.1}目、勝率{share:.0}%の損"),
            (Language::Japanese, true, false) => format!("{points:.1}目の損"),
            (Language::Japanese, false, true) => format!("勝率{share:.0}%の損"),
            (Language::Japanese, false, false) => "ほぼ同じ".to_string(),
        }
    }

    /// What the explained move does, and this one does not.
    fn missing(&self, mv: &ExplainedMove) -> String {
        let Some(best) = &self.explanation.mv else { return String::new() };
        let has =
            |name: &str, about| mv.reasons.effects.iter().any(|r| r.rule.name == name && r.about == about);
        let lost = best.reasons.effects.iter().find(|reason| !has(reason.rule.name, reason.about));
        match (lost, self.language) {
            (Some(reason), Language::English) => {
                format!("; {} {}", best.reasons.mv, words::reason(reason, self.language))
            }
            (Some(reason), Language::Japanese) => {
                format!("、{}なら{}", best.reasons.mv, words::reason(reason, self.language))
            }
            (None, _) => String::new(),
        }
    }

    fn alternatives(&self) -> String {
        if self.explanation.alternatives.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}\n", self.pick("Other moves", "他の手"));
        for mv in &self.explanation.alternatives {
            let name = self.name(mv.reasons.color, mv.reasons.mv);
            let reasons = self.in_short(mv);
            let reasons = if reasons.is_empty() { String::new() } else { format!(" {reasons}") };
            let worse = self.worse(mv) + &self.missing(mv);
            let worse = if worse.is_empty() { worse } else { format!(": {worse}") };
            let _ = writeln!(text, "  {name}{reasons}{worse}");
        }
        text
    }

    fn why_not(&self, question: &WhyNot) -> String {
        let name = self.name(question.mv.reasons.color, question.mv.reasons.mv);
        let is_explained = |best: &ExplainedMove| best.reasons.mv == question.mv.reasons.mv;
        if self.explanation.mv.as_ref().is_some_and(is_explained) {
            return match self.language {
                Language::English => format!("\nWhy not {name}? It is the move explained here.\n"),
                Language::Japanese => format!("\nなぜ{name}ではないか：ここで説明した手です。\n"),
            };
        }
        let head = match self.language {
            Language::English => format!(
                "\nWhy not {name}? It is {}{}\n",
                self.worse(&question.mv),
                self.missing(&question.mv)
            ),
            Language::Japanese => format!(
                "\nなぜ{name}ではないか：{}{}\n",
                self.worse(&question.mv),
                self.missing(&question.mv)
            ),
        };
        let Some(answer) = &question.answer else { return head };
        let told = self.in_short(answer);
        let by = self.name(answer.reasons.color, answer.reasons.mv);
        let end = match self.language {
            Language::English if told.is_empty() => format!("  {by} answers\n"),
            Language::English => format!("  {by} answers: it {told}\n"),
            Language::Japanese => format!("  {by}と応じ、{told}\n"),
        };
        head + &end
    }

    /// Groups that are not simply alive, the largest first.
    fn groups(&self) -> String {
        let of_interest = |group: &&Group| group.strength != Strength::Alive && group.stones.len() > 1;
        let mut groups: Vec<&Group> = self.explanation.analysis.groups.iter().filter(of_interest).collect();
        groups.sort_by_key(|group| (group.strength, std::cmp::Reverse(group.stones.len())));
        let mut text = String::new();
        for group in groups.into_iter().take(8) {
            let name = self.name(group.color, group.name());
            let (count, state) = (group.stones.len(), words::strength(group.strength, self.language));
            let _ = match self.language {
                Language::English => writeln!(text, "  {name} ({count} stones): {state}"),
                Language::Japanese => writeln!(text, "  {name}（{count}子）：{state}"),
            };
        }
        if text.is_empty() { text } else { format!("\n{}\n{text}", self.pick("Groups", "石の強弱")) }
    }
}
