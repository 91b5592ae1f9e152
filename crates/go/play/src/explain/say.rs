//! What is said of a move, in English and Japanese: sentences made from [`Teaching`], with the grammar of each language.

use ishi_go::{Color, Move, Point};
use ishi_knowledge::words::{color_name, describe_reason, describe_sequence};
use ishi_knowledge::{Reason, RuleFamily};
use ishi_words::Language;

use super::owners::{CarryingReason, Cause, MatterKind};
use super::plan::{MovePlan, PlanKind};
use super::principle::{Principle, PrincipleKind};
use super::teach::{BetterMove, TaughtLine, TaughtVerdict, Teaching, VerdictKind};

/// What a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeachingPart {
    /// How good the move is.
    Verdict,
    /// What carries that.
    Reason,
    /// The refutation, or what happens if it is not played.
    Line,
    /// What the move wants.
    Plan,
    /// The better move.
    Better,
    /// What it is an instance of.
    Principle,
}

/// A sentence, or two, about one thing.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SpokenLine {
    /// What it is.
    pub part: TeachingPart,
    /// In words.
    pub text: String,
}

/// What is said of a move, in the order in which it is said; nothing is said of what is not known.
pub fn speak_teaching(teaching: &Teaching, language: Language) -> Vec<SpokenLine> {
    let speaker = Speaker { teaching, language };
    let parts = [
        (TeachingPart::Verdict, Some(speaker.verdict())),
        (TeachingPart::Reason, speaker.reason()),
        (TeachingPart::Line, teaching.line.as_ref().map(|line| speaker.line(line))),
        (TeachingPart::Plan, teaching.plan.as_ref().map(|plan| speaker.plan(plan))),
        (TeachingPart::Better, teaching.better.as_ref().map(|better| speaker.better(better))),
        (TeachingPart::Principle, teaching.principle.as_ref().map(|told| speaker.principle(told))),
    ];
    let told = parts.into_iter().filter_map(|(part, text)| Some(SpokenLine { part, text: text? }));
    told.filter(|line| !line.text.is_empty()).collect()
}

/// The same as text, a line each.
pub fn teaching_text(teaching: &Teaching, language: Language) -> String {
    speak_teaching(teaching, language).into_iter().map(|line| line.text + "\n").collect()
}

/// Numbers of points as they are told: whole ones, and "a point or less" below one and a half.
pub(super) fn points_text(points: f64, language: Language) -> String {
    let whole = points.round().max(1.0);
    match language {
        Language::English if whole == 1.0 => "about 1 point".to_string(),
        Language::English => format!("about {whole:.0} points"),
        Language::Japanese => format!("約{whole:.0}目"),
    }
}

struct Speaker<'a> {
    teaching: &'a Teaching,
    language: Language,
}

impl Speaker<'_> {
    fn say(&self, english: impl Into<String>, japanese: impl Into<String>) -> String {
        self.language.choose(english.into(), japanese.into())
    }

    fn move_name(&self, color: Color, mv: Move) -> String {
        let name = color_name(color, self.language);
        match mv {
            Move::Play(point) => self.say(format!("{name} {point}"), format!("{name}{point}")),
            Move::Pass => self.say(format!("{name}'s pass"), format!("{name}のパス")),
        }
    }

    /// What a reason says, without what was read of it.
    fn in_short(&self, reason: &Reason) -> String {
        describe_reason(&Reason { sequence: Vec::new(), ..reason.clone() }, self.language)
    }

    /// The size of a difference: points, or where these are little, the chance to win.
    fn size(&self, points: f64, win_rate: f64) -> String {
        if points >= 0.5 {
            return points_text(points, self.language);
        }
        let share = (100.0 * win_rate).round().max(1.0);
        self.say(format!("about {share:.0} % of the chance to win"), format!("勝率約{share:.0}%"))
    }

    fn verdict(&self) -> String {
        let Teaching { color, mv, verdict, .. } = self.teaching;
        let (name, size) = (self.move_name(*color, *mv), self.size(verdict.points, verdict.win_rate));
        match verdict.kind {
            VerdictKind::Loses => self.losing_verdict(&name, &size),
            VerdictKind::Only => self.say(
                format!("{name} is the only move: the next best loses {size}."),
                format!("{name}は絶対の一手です（次善の手は{size}の損）。"),
            ),
            VerdictKind::Best => self.say(
                format!("{name} is the best move here: the next best loses {size}."),
                format!("{name}が最善です（次善の手は{size}の損）。"),
            ),
            VerdictKind::Good => self.good_verdict(&name, verdict),
            VerdictKind::Alone => self.say(
                format!("{name}: no other move was held against it."),
                format!("{name}：比べた手はありません。"),
            ),
        }
    }

    fn losing_verdict(&self, name: &str, size: &str) -> String {
        let verdict = &self.teaching.verdict;
        let has_error = verdict.points >= 0.5 && verdict.error.is_finite() && verdict.error > 0.0;
        let error = verdict.error.round().max(1.0);
        let error = match has_error {
            true => self.say(format!(" (give or take {error:.0})"), format!("（誤差{error:.0}目ほど）")),
            false => String::new(),
        };
        match &self.teaching.does {
            Some(does) => {
                let does = self.in_short(does);
                self.say(
                    format!("{name} {does}, but loses {size}{error}."),
                    format!("{name}は{does}が、{size}の損です{error}。"),
                )
            }
            None => {
                self.say(format!("{name} loses {size}{error}."), format!("{name}は{size}の損です{error}。"))
            }
        }
    }

    fn good_verdict(&self, name: &str, verdict: &TaughtVerdict) -> String {
        let count = verdict.good_moves;
        let english = ["one", "two", "three", "four", "five"].get(count - 1).copied().unwrap_or("many");
        let at_least = if verdict.or_more { "at least " } else { "" };
        let others = count - 1;
        let more = if verdict.or_more { "少なくとも" } else { "" };
        self.say(
            format!("{name} is one of {at_least}{english} good moves."),
            format!("{name}は好手です。同じくらい良い手がほかに{more}{others}つあります。"),
        )
    }

    /// What carries the verdict.
    fn reason(&self) -> Option<String> {
        let is_loss = self.teaching.verdict.kind == VerdictKind::Loses;
        match &self.teaching.cause {
            Cause::Carried(reason) if is_loss => Some(self.loss_reason(reason)),
            Cause::Carried(reason) => Some(self.gain_reason(reason)),
            Cause::Spread if is_loss => Some(self.say(
                "What it costs are small differences all over the board.",
                "損は盤全体の小さな差の積み重ねです。",
            )),
            Cause::Spread | Cause::Unknown if is_loss => None,
            Cause::Spread | Cause::Unknown => {
                let does = describe_reason(self.teaching.does.as_ref()?, self.language);
                Some(self.say(format!("It {does}."), format!("{does}。")))
            }
        }
    }

    fn loss_reason(&self, reason: &CarryingReason) -> String {
        let what = self.missed_matter(reason);
        let total = self.teaching.verdict.points;
        let part = self.part_of_loss(reason.points, total);
        self.say(format!("The cost: {what}{part}."), format!("損の中身：{what}{part}。"))
    }

    /// How much of a loss one matter is.
    fn part_of_loss(&self, points: f64, total: f64) -> String {
        if points >= 0.8 * total {
            return String::new();
        }
        let [points, total] = [points, total].map(|points| format!("{:.0}", points.round().max(1.0)));
        self.say(format!(" ({points} of the {total} points)"), format!("（{total}目のうち{points}目）"))
    }

    fn gain_reason(&self, reason: &CarryingReason) -> String {
        let worth = points_text(reason.points, self.language);
        match &self.teaching.does {
            Some(does) if says_matter(does, reason) => {
                let does = describe_reason(does, self.language);
                self.say(format!("It {does} ({worth})."), format!("{does}（{worth}）。"))
            }
            Some(does) => {
                let (matter, does) = (self.gained_matter(reason), describe_reason(does, self.language));
                self.say(
                    format!("It {matter} ({worth}): it {does}."),
                    format!("{matter}（{worth}）。{does}。"),
                )
            }
            None => {
                let matter = self.gained_matter(reason);
                self.say(format!("It {matter} ({worth})."), format!("{matter}（{worth}）。"))
            }
        }
    }

    /// "5 stones at D8", "D8の5子"; with their colour if they are the opponent's.
    fn stones_name(&self, reason: &CarryingReason) -> String {
        let stone = reason.stone.map_or(String::new(), |stone| stone.to_string());
        let (count, color) = (reason.stones.len(), color_name(reason.owner(), self.language));
        let stones = if count == 1 { "stone" } else { "stones" };
        match (reason.kind.is_own(), count) {
            (true, 1) => self.say(format!("the stone at {stone}"), format!("{stone}の石")),
            (true, _) => self.say(format!("the {count} {stones} at {stone}"), format!("{stone}の{count}子")),
            (false, 1) => self.say(format!("{color}'s stone at {stone}"), format!("{color}{stone}の石")),
            (false, _) => self
                .say(format!("{color}'s {count} {stones} at {stone}"), format!("{color}{stone}の{count}子")),
        }
    }

    /// What a good move gains, as the end of a sentence that begins with the move.
    fn gained_matter(&self, reason: &CarryingReason) -> String {
        let stones = self.stones_name(reason);
        let [owner, side] = [reason.owner(), reason.side].map(|color| color_name(color, self.language));
        let (place, there) = (reason.place.name(self.language), reason.place.english_with_preposition());
        match reason.kind {
            MatterKind::SavesStones => {
                self.say(format!("keeps {stones} alive"), format!("{stones}を助けます"))
            }
            MatterKind::KillsStones => self.say(format!("kills {stones}"), format!("{stones}を取ります")),
            MatterKind::Strengthens => {
                self.say(format!("makes {stones} safer"), format!("{stones}を安定させます"))
            }
            MatterKind::Weakens => {
                self.say(format!("leaves {stones} weak"), format!("{stones}を弱い石にします"))
            }
            MatterKind::BuildsTerritory => self
                .say(format!("makes {owner}'s territory {there}"), format!("{place}の{owner}地を固めます")),
            MatterKind::ReducesTerritory => self.say(
                format!("reduces {owner}'s territory {there}"),
                format!("{place}の{owner}地を減らします"),
            ),
            MatterKind::TakesOver => {
                self.say(format!("takes {place} for {side}"), format!("{place}を{side}のものにします"))
            }
        }
    }

    /// What a bad move gives away, as a clause.
    fn missed_matter(&self, reason: &CarryingReason) -> String {
        let stones = self.stones_name(reason);
        let [owner, other] = [reason.owner(), !reason.side].map(|color| color_name(color, self.language));
        let (place, there) = (reason.place.name(self.language), reason.place.english_with_preposition());
        let is_one = reason.stones.len() == 1;
        let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
        match reason.kind {
            MatterKind::SavesStones => self.say(
                format!("{stones} {} and could live", verb("dies", "die")),
                format!("助かるはずの{stones}が死にます"),
            ),
            MatterKind::KillsStones => self.say(
                format!("{stones} {} and could be killed", verb("lives", "live")),
                format!("取れるはずの{stones}が生きます"),
            ),
            MatterKind::Strengthens => self.say(
                format!("{stones} {} weak", verb("stays", "stay")),
                format!("{stones}が弱いまま残ります"),
            ),
            MatterKind::Weakens => {
                self.say(format!("{stones} {} away", verb("gets", "get")), format!("{stones}が楽になります"))
            }
            MatterKind::BuildsTerritory => self
                .say(format!("{owner} gets less territory {there}"), format!("{place}の{owner}地が減ります")),
            MatterKind::ReducesTerritory => self.say(
                format!("{owner} keeps the territory {there}"),
                format!("{place}の{owner}地がそのまま残ります"),
            ),
            MatterKind::TakesOver => {
                self.say(format!("{place} becomes {other}'s"), format!("{place}が{other}のものになります"))
            }
        }
    }

    fn line(&self, line: &TaughtLine) -> String {
        let opponent = !self.teaching.color;
        let name = |mv: Point| self.move_name(opponent, Move::Play(mv));
        match line {
            TaughtLine::Refutation { moves, does } => self.refutation(moves, does.as_ref()),
            TaughtLine::Threat { mv, does } => {
                let (name, does) = (name(*mv), describe_reason(does, self.language));
                self.say(
                    format!("If it is not played, {name} {does}."),
                    format!("打たないと{name}：{does}。"),
                )
            }
            TaughtLine::Expected { moves, does } => {
                let sequence = describe_sequence(moves, self.language);
                let Some(&(_, first)) = moves.first() else { return String::new() };
                match does.as_ref().map(|does| self.in_short(does)) {
                    Some(does) => self.say(
                        format!("If it is not played, {} {does} ({sequence}).", name(first)),
                        format!("打たないと{}：{does}（{sequence}）。", name(first)),
                    ),
                    None => self.say(
                        format!(
                            "If it is not played, {} plays here: {sequence}.",
                            color_name(opponent, self.language)
                        ),
                        format!(
                            "打たないと{}がここに打ちます（{sequence}）。",
                            color_name(opponent, self.language)
                        ),
                    ),
                }
            }
            TaughtLine::NothingHere { elsewhere } => self.nothing_here(*elsewhere),
        }
    }

    fn nothing_here(&self, elsewhere: Option<Point>) -> String {
        let opponent = color_name(!self.teaching.color, self.language);
        match elsewhere {
            Some(point) => self.say(
                format!("If it is not played, nothing happens here at once: {opponent} would play elsewhere, at {point}."),
                format!("打たなくても、ここではすぐに何も起こりません（{opponent}は他所の{point}へ）。"),
            ),
            None => self.say(
                format!("If it is not played, nothing happens: {opponent} would pass."),
                format!("打たなくても何も起こりません（{opponent}はパス）。"),
            ),
        }
    }

    fn refutation(&self, moves: &[(Color, Point)], does: Option<&Reason>) -> String {
        let Some(&(color, first)) = moves.first() else { return String::new() };
        let name = self.move_name(color, Move::Play(first));
        let sequence = describe_sequence(moves, self.language);
        let is_line = moves.len() > 1;
        let line = if is_line {
            self.say(format!(" ({sequence})"), format!("（{sequence}）"))
        } else {
            String::new()
        };
        match does.map(|does| self.in_short(does)) {
            Some(does) => self.say(
                format!("The answer: {name} {does}{line}."),
                format!("相手の応手：{name}が来て、{does}{line}。"),
            ),
            None => self.say(format!("The answer: {name}{line}."), format!("相手の応手：{name}{line}。")),
        }
    }

    fn plan(&self, plan: &MovePlan) -> String {
        let line = describe_sequence(&plan.moves, self.language);
        let what = self.plan_name(plan.kind);
        let then = plan.then_elsewhere.filter(|_| plan.kind != PlanKind::Tenuki);
        let then = then.map_or(String::new(), |point| {
            self.say(format!(", and then {point} elsewhere"), format!("、それから他所の{point}"))
        });
        let place = plan.then_elsewhere.map_or(String::new(), |point| point.to_string());
        match plan.kind {
            PlanKind::Tenuki => self.say(
                format!("The plan: to finish here first, and then to play elsewhere, at {place}: {line}."),
                format!("狙い：ここを先手で決めて、他所の{place}に回ります（{line}）。"),
            ),
            _ => self
                .say(format!("The plan: {what}: {line}{then}."), format!("狙い：{what}（{line}{then}）。")),
        }
    }

    fn plan_name(&self, kind: PlanKind) -> &'static str {
        let (english, japanese) = match kind {
            PlanKind::Settle => ("to settle the stones", "石を治まらせます"),
            PlanKind::Connect => ("to connect", "石をつなぎます"),
            PlanKind::Kill => ("to kill", "石を取りに行きます"),
            PlanKind::Attack => ("to gain by attacking", "攻めながら得をします"),
            PlanKind::Build => ("to make territory", "地を作ります"),
            PlanKind::Reduce => ("to reduce", "相手の地を減らします"),
            PlanKind::Sacrifice => ("to give stones up for more elsewhere", "石を捨てて他所で得をします"),
            PlanKind::KoFight => ("to fight the ko", "コウを争います"),
            PlanKind::Tenuki => ("to play elsewhere", "手を抜きます"),
        };
        self.language.choose(english, japanese)
    }

    fn better(&self, better: &BetterMove) -> String {
        let name = self.move_name(self.teaching.color, Move::Play(better.mv));
        let head = match &better.does {
            Some(does) => {
                let does = self.in_short(does);
                self.say(format!("Better: {name}. It {does}."), format!("もっと良い手：{name}。{does}。"))
            }
            None => match self.teaching.cause.carrying() {
                Some(reason) => {
                    let matter = self.gained_matter(reason);
                    self.say(
                        format!("Better: {name}. It {matter}."),
                        format!("もっと良い手：{name}。{matter}。"),
                    )
                }
                None => self.say(format!("Better: {name}."), format!("もっと良い手：{name}。")),
            },
        };
        match &better.plan {
            Some(plan) => {
                let plan = self.plan(plan);
                self.say(format!("{head} {plan}"), format!("{head}{plan}"))
            }
            None if better.moves.len() > 1 => {
                let line = describe_sequence(&better.moves, self.language);
                self.say(format!("{head} It goes on {line}."), format!("{head}続きは{line}。"))
            }
            None => head,
        }
    }

    fn principle(&self, principle: &Principle) -> String {
        let (english, japanese) = principle_sentence(principle.kind);
        let evidence = self.evidence(principle);
        self.say(format!("Remember: {english} ({evidence})."), format!("教訓：{japanese}（{evidence}）。"))
    }

    /// What shows that a principle is the one.
    fn evidence(&self, principle: &Principle) -> String {
        let Principle { kind, evidence, color, count } = principle;
        let name = color_name(*color, self.language);
        match kind {
            PrincipleKind::DeadStones => self.say(
                format!("the {count} stones at {evidence} cannot be saved"),
                format!("{evidence}の{count}子はもう助かりません"),
            ),
            PrincipleKind::AnswerFirst => self.say(
                format!("{name} {evidence} threatened something"),
                format!("{name}{evidence}には狙いがありました"),
            ),
            PrincipleKind::WeakGroupFirst | PrincipleKind::AttackFirst => self.say(
                format!("{name}'s {count} stones at {evidence} were weak before this move"),
                format!("{name}{evidence}の{count}子はこの手の前から弱い石でした"),
            ),
            PrincipleKind::BiggestPoint | PrincipleKind::BiggerBorder => {
                self.say(format!("here it is {evidence}"), format!("ここでは{evidence}"))
            }
            PrincipleKind::LadderWorks => {
                self.say(format!("against {name} {evidence}"), format!("{name}{evidence}に対して"))
            }
            PrincipleKind::CutFirst | PrincipleKind::ConnectFirst => {
                self.say(format!("see {name} {evidence}"), format!("{name}{evidence}をごらんください"))
            }
        }
    }
}

/// A principle in ordinary words.
fn principle_sentence(kind: PrincipleKind) -> (&'static str, &'static str) {
    match kind {
        PrincipleKind::DeadStones => ("leave dead stones alone", "死んだ石には手を入れない"),
        PrincipleKind::AnswerFirst => {
            ("answer what is threatened before you play elsewhere", "他所に打つ前に相手の狙いに備える")
        }
        PrincipleKind::WeakGroupFirst => ("your weak group comes first", "弱い石の守りが先"),
        PrincipleKind::AttackFirst => {
            ("attack a weak group before you take territory", "地を取る前に弱い石を攻める")
        }
        PrincipleKind::BiggestPoint => ("take the biggest point first", "大場を先に打つ"),
        PrincipleKind::BiggerBorder => {
            ("in the endgame the bigger border comes first", "ヨセは大きいところから")
        }
        PrincipleKind::LadderWorks => {
            ("look for ladders, as this one works", "シチョウを確かめる（このシチョウは成立します）")
        }
        PrincipleKind::CutFirst => {
            ("cut where stones that are cut off have to live alone", "切れるところは切って別々に生きさせる")
        }
        PrincipleKind::ConnectFirst => ("connected stones live together", "つながった石は強い"),
    }
}

/// Does a reason say what becomes of the very stones that a matter is about?
fn says_matter(does: &Reason, reason: &CarryingReason) -> bool {
    let of_fate = matches!(
        does.rule.name,
        "take-stone"
            | "take-stones"
            | "capture"
            | "ladder"
            | "net"
            | "save"
            | "save-by-capture"
            | "extend-from-atari"
    ) || does.rule.family == RuleFamily::Life;
    of_fate && reason.kind.is_about_stones() && does.about.is_some_and(|stone| reason.stones.contains(stone))
}
