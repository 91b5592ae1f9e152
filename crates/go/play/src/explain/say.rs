//! What is said of a move, in English and Japanese: sentences made from [`Teaching`], with the grammar of each language.

use ishi_go::{Color, Move, Point};
use ishi_knowledge::words::{color_name, describe_reason, describe_sequence};
use ishi_knowledge::{Reason, RuleFamily};
use ishi_reading::PointSet;
use ishi_words::{Language, format_count, noun_for};

use super::listener::Listener;
use super::owners::{CarryingReason, Cause, MatterKind, OWNED, RestPlace, is_at};
use super::plan::{KoThreat, MovePlan, PlanKind};
use super::principle::{Principle, PrincipleKind};
use super::teach::{
    AnswerRole, BIG_MATTER, BetterMove, LITTLE_OF_LOSS, LeftAlone, LeftMove, MoveSizes, OUTWEIGHS,
    SharedDeed, TaughtLine, TaughtThreat, TaughtVerdict, Teaching, VerdictKind, is_named_near, is_on_matter,
    is_told_whole,
};

/// From so many points on a matter is more than nothing.
const SMALL_MATTER: f64 = 3.0;
/// What is told beside a cost is much beside it from this share of its points on.
const SHARE_BESIDES: f64 = 0.5;

/// What a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeachingPart {
    /// How good the move is.
    Verdict,
    /// What carries that.
    Reason,
    /// What a good move threatens besides.
    Threat,
    /// The refutation, or what happens if it is not played.
    Line,
    /// What the move wants.
    Plan,
    /// The better move.
    Better,
    /// What it is an instance of.
    Principle,
    /// What technical words mean, for beginners.
    Words,
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
    Speaker { teaching, language, is_alone: false }.told_lines(|_| true)
}

/// What is said of the better move to whoever has not read what the bad one costs: what that would have named has its full name.
pub fn speak_answer(teaching: &Teaching, language: Language) -> Vec<SpokenLine> {
    let is_of_answer = |part: TeachingPart| matches!(part, TeachingPart::Better | TeachingPart::Principle);
    Speaker { teaching, language, is_alone: true }.told_lines(is_of_answer)
}

/// Does a line of what is said of a move say more than moves and names: what changes, how much that is, or what is threatened?
pub fn says_something(teaching: &Teaching, part: TeachingPart) -> bool {
    let is_carried = teaching.cause.carrying().is_some();
    match part {
        TeachingPart::Verdict => teaching.verdict.kind != VerdictKind::Alone,
        TeachingPart::Reason => {
            let has_size = teaching.sizes.is_some() || teaching.whole_gain.is_some() || teaching.gains_little;
            is_carried || teaching.does.is_some() || has_size
        }
        TeachingPart::Line => {
            teaching.line.as_ref().is_some_and(|line| line_says_something(line, is_carried))
        }
        TeachingPart::Plan => teaching.plan.as_ref().is_some_and(plan_says_something),
        TeachingPart::Better => {
            teaching.better.as_ref().is_some_and(|better| better.reason.is_some() || better.does.is_some())
        }
        TeachingPart::Threat | TeachingPart::Principle | TeachingPart::Words => true,
    }
}

fn line_says_something(line: &TaughtLine, is_carried: bool) -> bool {
    match line {
        TaughtLine::Refutation { does, role, leaves, captures, is_stone_lost, .. } => {
            let is_there = matches!(role, AnswerRole::TakesPoint | AnswerRole::Elsewhere)
                || *role == AnswerRole::OnMatter && is_carried;
            does.is_some() || leaves.is_some() || is_there || *is_stone_lost || takes_later(captures)
        }
        TaughtLine::Expected { does, role, .. } => {
            does.is_some() || *role == AnswerRole::OnMatter && is_carried
        }
        TaughtLine::Threat { .. }
        | TaughtLine::NothingHere { .. }
        | TaughtLine::ComesLater { .. }
        | TaughtLine::TheirPoint(_) => true,
    }
}

/// More than how it goes on?
fn plan_says_something(plan: &MovePlan) -> bool {
    plan_name(plan.kind).is_some() || plan.then_elsewhere.is_some() || takes_later(&plan.captures)
}

/// Does a line take stones after its first move?
fn takes_later(captures: &[usize]) -> bool {
    captures.iter().skip(1).any(|&taken| taken > 0)
}

/// A text without what arises where sentences are put together: brackets behind brackets, and a full stop behind dots.
fn tidy_text(text: &str) -> String {
    text.replace(") (", ", ").replace("）（", "、").replace(" ....", " ...")
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
    /// Is the better move told without what the bad one costs?
    is_alone: bool,
}

impl Speaker<'_> {
    /// The parts that are asked for, and what technical words in them mean, where the listener is told that.
    fn told_lines(&self, is_told: impl Fn(TeachingPart) -> bool) -> Vec<SpokenLine> {
        let teaching = self.teaching;
        let parts = [
            (TeachingPart::Verdict, Some(self.verdict())),
            (TeachingPart::Reason, self.reason()),
            (TeachingPart::Threat, teaching.threat.as_ref().map(|threat| self.threat(threat))),
            (TeachingPart::Line, teaching.line.as_ref().map(|line| self.line(line))),
            (TeachingPart::Plan, teaching.plan.as_ref().map(|plan| self.plan(plan))),
            (TeachingPart::Better, teaching.better.as_ref().map(|better| self.better(better))),
            (TeachingPart::Principle, teaching.principle.as_ref().map(|told| self.principle(told))),
        ];
        let told = parts.into_iter().filter(|&(part, _)| is_told(part));
        let told = told.filter_map(|(part, text)| Some(SpokenLine { part, text: tidy_text(&text?) }));
        let mut lines: Vec<SpokenLine> = told.filter(|line| !line.text.is_empty()).collect();
        let whole: String = lines.iter().map(|line| line.text.as_str()).collect();
        let terms = teaching.listener.explain_terms(&whole, self.language);
        lines.extend(terms.map(|text| SpokenLine { part: TeachingPart::Words, text }));
        lines
    }

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

    /// What a reason says, with what was read of it where that is a sequence.
    fn as_read(&self, reason: &Reason) -> String {
        match reason.sequence.len() {
            0 | 1 => self.in_short(reason),
            _ => self.among_told(reason, describe_reason(reason, self.language)),
        }
    }

    /// What a reason says, without what was read of it.
    fn in_short(&self, reason: &Reason) -> String {
        let short = Reason { sequence: Vec::new(), ..reason.clone() };
        self.among_told(reason, describe_reason(&short, self.language))
    }

    /// What a reason says: if it is about some of the stones that are told under the same name, "3 of the 6 stones at F3".
    fn among_told(&self, reason: &Reason, text: String) -> String {
        let (Some(stone), Some(all)) = (reason.about, self.count_told(reason)) else { return text };
        let count = reason.count;
        let [some, among] = match self.language {
            Language::English => [
                format!("{} at {stone}", format_count(count, "stone")),
                format!("{count} of the {all} stones at {stone}"),
            ],
            Language::Japanese => [format!("{stone}の{count}子"), format!("{stone}の{all}子のうち{count}子")],
        };
        // One that is taken is told without its number.
        let alone = self.say(format!("the stone at {stone}"), format!("{stone}の石"));
        let text = text.replace(&some, &among);
        if count == 1 { text.replace(&alone, &among) } else { text }
    }

    /// How many stones are told under the name of those that a reason is about, if these are only some of them.
    fn count_told(&self, reason: &Reason) -> Option<usize> {
        let Teaching { cause, besides, better, .. } = self.teaching;
        let better = better.as_ref().and_then(|better| better.reason.as_ref());
        let told = [cause.carrying(), besides.as_ref(), better].into_iter().flatten();
        let of_name = told.filter(|told| told.kind.is_about_stones() && told.stone == reason.about);
        let of_name = of_name.filter(|told| two_apart(&told.stones).is_none());
        of_name.map(|told| told.named_stones().len()).find(|all| (1..*all).contains(&reason.count))
    }

    /// The size of a difference: points, or where these are little, the chance to win. A margin of the points, in brackets, stands right behind them
    /// where the chance to win is told, too.
    fn size(&self, points: f64, win_rate: f64, margin: Option<&str>) -> String {
        let share = (100.0 * win_rate).round().max(1.0);
        if points >= 0.5 && self.teaching.listener == Listener::Dan {
            let [off, error] = margin.map_or([String::new(), String::new()], |words| {
                [format!(" ({words})"), format!("{words}、")]
            });
            return self.say(
                format!("{points:.1} points{off} and {share:.0} % of the chance to win"),
                format!("{points:.1}目（{error}勝率{share:.0}%）"),
            );
        }
        if points >= 0.5 {
            return points_text(points, self.language);
        }
        self.say(format!("about {share:.0} % of the chance to win"), format!("勝率約{share:.0}%"))
    }

    fn verdict(&self) -> String {
        let Teaching { color, mv, verdict, .. } = self.teaching;
        let (name, size) = (self.move_name(*color, *mv), self.size(verdict.points, verdict.win_rate, None));
        match verdict.kind {
            VerdictKind::Loses => self.losing_verdict(&name),
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

    fn losing_verdict(&self, name: &str) -> String {
        let Teaching { verdict, does, listener, .. } = self.teaching;
        let margin = self.margin_words();
        let size = self.size(verdict.points, verdict.win_rate, margin.as_deref());
        let behind = margin.filter(|_| *listener != Listener::Dan);
        let error =
            behind.map_or(String::new(), |words| self.say(format!(" ({words})"), format!("（{words}）")));
        let loses = match self.is_loss_doubtful() {
            true => self.say(format!("probably loses {size}"), format!("おそらく{size}の損です")),
            false => self.say(format!("loses {size}"), format!("{size}の損です")),
        };
        let Some(does) = does else {
            return self.say(format!("{name} {loses}{error}."), format!("{name}は{loses}{error}。"));
        };
        let told = self.in_short(does);
        let anyway = self.lost_anyway(does).filter(|_| self.teaching.catches_lost).unwrap_or_default();
        self.say(
            format!("{name} {told}, but {loses}{error}.{anyway}"),
            format!("{name}は{told}が、{loses}{error}。{anyway}"),
        )
    }

    /// Are the points of a loss known, and how far off they may be?
    fn has_margin(&self) -> bool {
        let TaughtVerdict { points, margin, .. } = self.teaching.verdict;
        points >= 0.5 && margin.is_finite() && margin > 0.0
    }

    /// May a loss be off by more than a point, and by as much as it is? Then it is only probable.
    fn is_loss_doubtful(&self) -> bool {
        let TaughtVerdict { points, margin, .. } = self.teaching.verdict;
        self.has_margin() && margin >= points && margin.round() > 1.0
    }

    /// How far off the points of a loss may be. Of one that is only probable it is worth telling what it is at most.
    fn margin_words(&self) -> Option<String> {
        let TaughtVerdict { points, margin, .. } = self.teaching.verdict;
        if !self.has_margin() || self.teaching.listener == Listener::Beginner {
            return None;
        }
        let (off, most) = (margin.round().max(1.0), (points + margin).round());
        Some(match self.is_loss_doubtful() {
            false => self.say(format!("give or take {off:.0}"), format!("誤差{off:.0}目ほど")),
            true => self.say(format!("at most {most:.0} points"), format!("多くて{most:.0}目")),
        })
    }

    fn good_verdict(&self, name: &str, verdict: &TaughtVerdict) -> String {
        let count = verdict.good_moves;
        let english = ["one", "two", "three", "four", "five"].get(count - 1).copied().unwrap_or("many");
        let at_least = if verdict.or_more { "at least " } else { "" };
        let others = count - 1;
        let more = if verdict.or_more { "少なくとも" } else { "" };
        let as_good = self.moves_as_good();
        self.say(
            format!("{name} is one of {at_least}{english} good moves{as_good}."),
            format!("{name}は好手です。同じくらい良い手がほかに{more}{others}つあります{as_good}。"),
        )
    }

    /// The other good moves, in brackets; nothing if none of them is close.
    fn moves_as_good(&self) -> String {
        let moves: Vec<String> = self.teaching.as_good.iter().map(Point::to_string).collect();
        match moves.split_last() {
            None => String::new(),
            Some((last, [])) => self.say(format!(" (also {last})"), format!("（{last}）")),
            Some((last, others)) => self.say(
                format!(" (also {} and {last})", others.join(", ")),
                format!("（{}）", moves.join("、")),
            ),
        }
    }

    /// What carries the verdict.
    fn reason(&self) -> Option<String> {
        let is_loss = self.teaching.verdict.kind == VerdictKind::Loses;
        match &self.teaching.cause {
            Cause::Carried(reason) if is_loss => Some(self.loss_reason(reason)),
            Cause::Carried(reason) => Some(self.gain_reason(reason)),
            Cause::Spread | Cause::Unknown if is_loss => match &self.teaching.sizes {
                Some(sizes) => match self.compare_sizes(sizes) {
                    Some(compared) => Some(compared + &self.place_of_loss().unwrap_or_default()),
                    None => self.small_differences(),
                },
                None => self.small_differences(),
            },
            Cause::Spread | Cause::Unknown => {
                match self.teaching.does.as_ref().or(self.teaching.means.as_ref()) {
                    Some(told) => {
                        let (does, gain) = (self.as_read(told), self.whole_gain());
                        Some(self.say(format!("It {does}{gain}."), format!("{does}{gain}。")))
                    }
                    None => self.gain_alone(),
                }
            }
        }
    }

    /// What a good move gains in all, in brackets, where no area carries that.
    fn whole_gain(&self) -> String {
        self.teaching.whole_gain.map_or(String::new(), |points| {
            let worth = points_text(points, self.language);
            self.say(format!(" ({worth} in all)"), format!("（全体で{worth}）"))
        })
    }

    /// What a good move gains in all, where nothing is known of it but that.
    fn gain_alone(&self) -> Option<String> {
        match self.teaching.whole_gain {
            Some(points) => {
                let worth = points_text(points, self.language);
                Some(self.say(
                    format!("It gains {worth} in all, a little in many places."),
                    format!("全体で{worth}の価値があります（小さな差の積み重ねです）。"),
                ))
            }
            None if self.teaching.gains_little => {
                Some(self.say("It gains less than a point.", "この手の価値は1目に足りません。"))
            }
            None => None,
        }
    }

    /// That a small loss lies nowhere in particular; nothing of a large one, which lies somewhere.
    fn small_differences(&self) -> Option<String> {
        let is_small = self.teaching.cause == Cause::Spread && self.teaching.verdict.points < SMALL_MATTER;
        is_small.then(|| match self.teaching.rest {
            Some(RestPlace::In(place)) => self.say(
                format!(
                    "What it costs are small differences, most of them {}.",
                    place.english_with_preposition()
                ),
                format!("損は小さな差の積み重ねで、その多くは{}にあります。", place.name(self.language)),
            ),
            _ => self.say(
                "What it costs are small differences all over the board.",
                "損は盤全体の小さな差の積み重ねです。",
            ),
        })
    }

    /// In which part of the board most of a loss lies that no area carries, or that it lies in the turn, as a sentence behind the sizes of the
    /// moves.
    fn place_of_loss(&self) -> Option<String> {
        let place = match self.teaching.rest {
            Some(RestPlace::In(place)) => place,
            None if self.teaching.keeps_turn => return self.turn_given_away(),
            None => return self.exchange_of_loss(),
            Some(RestPlace::CloseBy) => return None,
        };
        Some(self.say(
            format!(" Most of the difference lies {}.", place.english_with_preposition()),
            format!("差の多くは{}にあります。", place.name(self.language)),
        ))
    }

    /// That the better move keeps the turn, and the bad one does not, as a sentence behind their sizes.
    fn turn_given_away(&self) -> Option<String> {
        let (bad, better) = (self.teaching.mv.point()?, self.teaching.better.as_ref()?.mv);
        Some(self.say(
            format!(" {better} keeps the turn, and {bad} gives it away."),
            format!("{better}は先手で打て、{bad}は後手になります。"),
        ))
    }

    /// What a bad move is worth beside the better one.
    fn compare_sizes(&self, sizes: &MoveSizes) -> Option<String> {
        let name = self.move_name(self.teaching.color, self.teaching.mv);
        let better = self.teaching.better.as_ref()?.mv;
        let [own, best] = [sizes.own, sizes.better].map(|points| points_text(points, self.language));
        Some(if sizes.own < -1.0 {
            self.say(
                format!("{name} is worse than not to move at all, and {better} gains {best}."),
                format!("{name}は打たない方がましな手で、{better}なら{best}の価値があります。"),
            )
        } else if sizes.own < 0.5 {
            self.say(
                format!("{name} gains next to nothing, and {better} gains {best}."),
                format!("{name}にはほとんど価値がなく、{better}なら{best}の価値があります。"),
            )
        } else if sizes.are_both_big() {
            // Where both round to the same number, it says nothing.
            if own == best {
                return None;
            }
            self.say(
                format!("{name} is a big move, too ({own}), but {better} is bigger ({best})."),
                format!("{name}も大きい手（{own}）ですが、{better}はさらに大きい手です（{best}）。"),
            )
        } else {
            self.say(
                format!("{name} gains {own}, and {better} gains {best}."),
                format!("{name}の価値は{own}、{better}なら{best}です。"),
            )
        })
    }

    fn loss_reason(&self, reason: &CarryingReason) -> String {
        let what = self.missed_matter(reason);
        let total = self.teaching.verdict.points;
        let part = self.part_of_loss(reason.points, total);
        let besides = self.missed_besides();
        let cost = self
            .say(format!("The cost: {what}{part}{besides}."), format!("損の理由：{what}{part}。{besides}"));
        let sizes = self.teaching.sizes.as_ref().and_then(|sizes| self.compare_sizes(sizes));
        sizes.map_or(cost.clone(), |sizes| self.say(format!("{cost} {sizes}"), format!("{cost}{sizes}")))
    }

    /// What a bad move gives away besides, as the end of a sentence; in Japanese as one of its own. Another area has its size.
    fn missed_besides(&self) -> String {
        let Some(besides) = &self.teaching.besides else { return String::new() };
        let what = self.missed_there_too(besides).unwrap_or_else(|| self.missed_matter(besides));
        let (size, fight) = (self.size_besides(besides), self.fight_with(besides));
        self.say(format!(", and {what}{size}{fight}"), format!("また、{what}{size}。{fight}"))
    }

    /// Where a bad move gives the same away besides that the cost says of territory elsewhere.
    fn missed_there_too(&self, besides: &CarryingReason) -> Option<String> {
        let reason = self.teaching.cause.carrying()?;
        let place = self.territory_place(besides);
        let [owner, other] = [besides.owner(), !besides.side].map(|color| color_name(color, self.language));
        let japanese = match besides.kind {
            MatterKind::BuildsTerritory => format!("{place}の{owner}地も減ります"),
            MatterKind::ReducesTerritory => format!("{place}の{owner}地もそのまま残ります"),
            MatterKind::TakesOver => format!("{place}も{other}のものになります"),
            _ => return None,
        };
        let is_same = reason.kind == besides.kind && reason.owner() == besides.owner();
        is_same.then(|| self.say(place, japanese))
    }

    /// How many points more another area is than the one that carries a loss, in brackets; nothing of stones in that one, which has counted
    /// them.
    fn size_besides(&self, besides: &CarryingReason) -> String {
        let is_other = |reason: &CarryingReason| {
            reason.area.points.intersection(&besides.area.points).is_empty()
                && !self.part_of_loss(reason.points, self.teaching.verdict.points).is_empty()
        };
        if !self.teaching.cause.carrying().is_some_and(is_other) {
            return String::new();
        }
        let (points, rest) = (besides.points.round().max(1.0), self.rest_of_both(besides));
        self.say(format!(" ({points:.0} more{rest})"), format!("（さらに{points:.0}目{rest}）"))
    }

    /// Where the part of a loss lies that neither the cost carries nor another area that is told besides, behind the size of that: of more than
    /// half of it.
    fn rest_of_both(&self, besides: &CarryingReason) -> String {
        let told = self.teaching.cause.carrying().map_or(0.0, |reason| reason.points) + besides.points;
        match told < LITTLE_OF_LOSS * self.teaching.verdict.points {
            true => self.place_of_rest(true),
            false => String::new(),
        }
    }

    /// That the stones told besides and those of the matter fight each other, if they touch: as the end of a sentence, in Japanese as one of
    /// its own.
    fn fight_with(&self, besides: &CarryingReason) -> String {
        match self.fight_between(besides) {
            Some((_, true)) => self.say(": it is a race", "攻め合いです。"),
            Some((_, false)) => self.say(": these fight each other", "互いに競り合っている石です。"),
            None => String::new(),
        }
    }

    /// The same behind a sentence that names only the stones told besides: whom these fight.
    fn fight_with_matter(&self, besides: &CarryingReason) -> String {
        let Some((reason, is_race)) = self.fight_between(besides) else { return String::new() };
        let (stones, are_many) = (self.stones_name(reason), besides.stones.len() > 1);
        match is_race {
            true => self.say(format!(": it is a race with {stones}"), format!("{stones}との攻め合いです。")),
            false => self.say(
                format!(": {} {stones}", if are_many { "they fight" } else { "it fights" }),
                format!("{stones}と競り合っている石です。"),
            ),
        }
    }

    /// The stones of the matter, if those told besides are the other side's and touch them. It is a race, too, if for nearly certain the ones live
    /// where the others die.
    fn fight_between(&self, besides: &CarryingReason) -> Option<(&CarryingReason, bool)> {
        let reason = self.teaching.cause.carrying()?;
        let are_rivals = [reason, besides].iter().all(|told| told.kind.is_about_stones())
            && reason.owner() != besides.owner();
        let touches = !reason.stones.with_neighbours().intersection(&besides.stones).is_empty();
        let decides = |told: &CarryingReason| {
            matches!(told.kind, MatterKind::SavesStones | MatterKind::KillsStones)
                && told.is_sure == [true; 2]
        };
        (are_rivals && touches).then(|| (reason, decides(reason) && decides(besides)))
    }

    /// What a good move gains besides, as a sentence of its own; nothing if what is proved of the move says so.
    fn gained_besides(&self) -> String {
        let does = self.teaching.does.as_ref();
        let is_said = |besides: &CarryingReason| does.is_some_and(|does| says_outcome(does, besides));
        let besides = self.teaching.besides.as_ref().filter(|besides| !is_said(besides));
        besides.map_or(String::new(), |besides| {
            let (what, fight) = (self.gained_matter(besides), self.fight_with_matter(besides));
            self.say(format!(" It also {what}{fight}."), format!("また、{what}。{fight}"))
        })
    }

    /// How much of a loss one matter is; nothing if that is nearly all of it, or all of it in whole points.
    fn part_of_loss(&self, points: f64, total: f64) -> String {
        if is_told_whole(points, total) {
            return String::new();
        }
        let [part, whole] = [points, total].map(|points| points.round().max(1.0));
        let rest = match self.teaching.besides {
            Some(_) => String::new(),
            None => self.place_of_rest(points < LITTLE_OF_LOSS * total),
        };
        self.say(
            format!(" ({part:.0} of the {whole:.0} points{rest})"),
            format!("（{whole:.0}目のうち{part:.0}目{rest}）"),
        )
    }

    /// Where the part of a loss lies that the cost does not carry, behind the size of the other part. Of less than half of a loss it is told only
    /// if it lies somewhere.
    fn place_of_rest(&self, is_most: bool) -> String {
        match self.teaching.rest {
            Some(RestPlace::CloseBy) => self.say(", most of the rest close by", "、残りの多くもその近く"),
            Some(RestPlace::In(place)) => self.say(
                format!(", most of the rest {}", place.english_with_preposition()),
                format!("、残りの多くは{}", place.name(self.language)),
            ),
            None if self.teaching.keeps_turn => self.turn_of_rest(),
            None if is_most && self.exchange().is_some() => self.exchange_of_rest(),
            None if is_most => self.say(", the rest here and there", "、残りはあちこち"),
            None => String::new(),
        }
    }

    /// A bad move and its answer in the same place, if the mover then comes back to the better move at once: these two are all that makes the
    /// difference.
    fn exchange(&self) -> Option<[Point; 2]> {
        match self.teaching.line.as_ref()? {
            TaughtLine::Refutation { role: AnswerRole::Elsewhere, .. } => None,
            TaughtLine::Refutation { moves, back_after: Some(1), .. } => {
                Some([self.teaching.mv.point()?, moves.first()?.1])
            }
            _ => None,
        }
    }

    /// That the rest of a loss lies in the exchange of the bad move for its answer, behind the size of the other part.
    fn exchange_of_rest(&self) -> String {
        self.exchange().map_or(String::new(), |[bad, answer]| {
            self.say(
                format!(", the rest by the exchange of {bad} for {answer}"),
                format!("、残りは{bad}と{answer}の交換による損"),
            )
        })
    }

    /// That a loss which no area carries lies in that exchange, as a sentence behind the sizes of the moves.
    fn exchange_of_loss(&self) -> Option<String> {
        let [bad, answer] = self.exchange()?;
        Some(self.say(
            format!(" The difference is the exchange of {bad} for {answer}."),
            format!("差は{bad}と{answer}の交換から生じます。"),
        ))
    }

    /// That the rest of a loss lies in the turn which the better move keeps, behind the size of the other part.
    fn turn_of_rest(&self) -> String {
        let Some(better) = &self.teaching.better else { return String::new() };
        self.say(
            format!(", the rest by the turn that {} keeps", better.mv),
            format!("、残りは{}なら先手で打てるため", better.mv),
        )
    }

    /// What a good move gains, with its size, and what it gains besides.
    fn gain_reason(&self, reason: &CarryingReason) -> String {
        let worth = self.worth_of_gain(reason);
        let gain = match &self.teaching.does {
            Some(does) if says_outcome(does, reason) => {
                let does = self.as_read(does);
                self.say(format!("It {does} ({worth})."), format!("{does}（{worth}）。"))
            }
            Some(does) => {
                let (matter, does) = (self.gained_matter(reason), self.as_read(does));
                self.say(
                    format!("It {matter} ({worth}): it {does}."),
                    format!("{matter}（{worth}）。{does}。"),
                )
            }
            None => {
                let matter = self.with_means(self.teaching.means.as_ref(), &self.gained_matter(reason));
                self.say(format!("It {matter} ({worth})."), format!("{matter}（{worth}）。"))
            }
        };
        gain + &self.gained_besides()
    }

    /// The size of what a good move gains. Where its own place changes by much more, that is what is left of it in all.
    fn worth_of_gain(&self, reason: &CarryingReason) -> String {
        let worth = points_text(reason.points, self.language);
        match reason.area.gain >= OUTWEIGHS * reason.points {
            true => self.say(format!("{worth} in all"), format!("全体で{worth}")),
            false => worth,
        }
    }

    /// How a move is played, and what that gains.
    fn with_means(&self, means: Option<&Reason>, matter: &str) -> String {
        match means.map(|means| self.in_short(means)) {
            Some(means) => {
                let is_long = means.contains(',') || means.contains(" and ");
                let comma = if is_long { "," } else { "" };
                self.say(format!("{means}{comma} and {matter}"), format!("{means}。{matter}"))
            }
            None => matter.to_string(),
        }
    }

    /// Where territory is: a part of the board, and a point in its middle; in English with its preposition.
    fn territory_place(&self, reason: &CarryingReason) -> String {
        let (place, there) = (reason.place.name(self.language), reason.place.english_with_preposition());
        match reason.middle {
            Some(middle) => self.say(format!("{there}, around {middle}"), format!("{place}（{middle}付近）")),
            None => self.say(there, place),
        }
    }

    /// "5 stones at D8", "D8の5子"; with their colour if they are the opponent's. Two that do not touch each other are both named.
    fn stones_name(&self, reason: &CarryingReason) -> String {
        if let Some([one, other]) = two_apart(&reason.stones) {
            let color = color_name(reason.owner(), self.language);
            return match reason.kind.is_own() {
                true => self.say(format!("the stones at {one} and {other}"), format!("{one}・{other}の2子")),
                false => self.say(
                    format!("{color}'s stones at {one} and {other}"),
                    format!("{color}{one}・{other}の2子"),
                ),
            };
        }
        let stone = reason.stone.map_or(String::new(), |stone| stone.to_string());
        let (count, color) = (reason.named_stones().len(), color_name(reason.owner(), self.language));
        let stones = noun_for(reason.stones.len(), "stone");
        let name = match (reason.kind.is_own(), count) {
            (true, 1) => self.say(format!("the {stones} at {stone}"), format!("{stone}の石")),
            (true, _) => self.say(format!("the {count} {stones} at {stone}"), format!("{stone}の{count}子")),
            (false, 1) => self.say(format!("{color}'s {stones} at {stone}"), format!("{color}{stone}の石")),
            (false, _) => self
                .say(format!("{color}'s {count} {stones} at {stone}"), format!("{color}{stone}の{count}子")),
        };
        name + &self.stones_apart(reason)
    }

    /// The stones of a matter that stand in other places, behind those that are named: " and 1 at N5".
    fn stones_apart(&self, reason: &CarryingReason) -> String {
        let [second, others] = reason.apart.map(|place| place.intersection(&reason.stones));
        let Some(stone) = second.first() else { return String::new() };
        // Where the first one is named without a number, so are the others.
        let english = match reason.named_stones().len() {
            1 => stone.to_string(),
            _ => format!("{} at {stone}", second.len()),
        };
        let japanese = match second.len() {
            1 => format!("・{stone}の石"),
            count => format!("・{stone}の{count}子"),
        };
        match others.is_empty() {
            true => self.say(format!(" and {english}"), japanese),
            false => self.say(format!(", {english} and others"), format!("{japanese}など")),
        }
    }

    /// What a good move gains, as the end of a sentence that begins with the move.
    fn gained_matter(&self, reason: &CarryingReason) -> String {
        let stones = self.stones_name(reason);
        let [owner, side] = [reason.owner(), reason.side].map(|color| color_name(color, self.language));
        let place = self.territory_place(reason);
        match reason.kind {
            MatterKind::SavesStones if !reason.is_sure[0] => self
                .say(format!("gives {stones} a chance to live"), format!("{stones}に生きる望みを与えます")),
            MatterKind::SavesStones => {
                self.say(format!("keeps {stones} alive"), format!("{stones}を助けます"))
            }
            MatterKind::KillsStones if !reason.is_sure[0] => {
                self.say(format!("puts {stones} in danger"), format!("{stones}を危うくします"))
            }
            MatterKind::KillsStones => self.say(format!("kills {stones}"), format!("{stones}を取ります")),
            MatterKind::Strengthens => {
                self.say(format!("makes {stones} safer"), format!("{stones}を安定させます"))
            }
            MatterKind::Weakens => self.say(format!("leaves {stones} weak"), format!("{stones}を弱くします")),
            MatterKind::BuildsTerritory => self
                .say(format!("makes {owner}'s territory {place}"), format!("{place}の{owner}地を固めます")),
            MatterKind::ReducesTerritory => self.say(
                format!("reduces {owner}'s territory {place}"),
                format!("{place}の{owner}地を減らします"),
            ),
            MatterKind::TakesOver => self.say(
                format!(
                    "takes over what would be {}'s territory {place}",
                    color_name(!reason.side, self.language)
                ),
                format!("{place}を{side}のものにします"),
            ),
        }
    }

    /// What a bad move gives away, as a clause.
    fn missed_matter(&self, reason: &CarryingReason) -> String {
        let stones = self.stones_name(reason);
        let [owner, other] = [reason.owner(), !reason.side].map(|color| color_name(color, self.language));
        let place = self.territory_place(reason);
        let is_one = reason.stones.len() == 1;
        let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
        match reason.kind {
            MatterKind::SavesStones if !reason.is_sure[1] => self.say(
                format!("{stones} {} into danger", verb("gets", "get")),
                format!("{stones}が危なくなります"),
            ),
            MatterKind::SavesStones => self.say(
                format!("{stones} {} and could live", verb("dies", "die")),
                format!("助かるはずの{stones}が死にます"),
            ),
            MatterKind::KillsStones if !reason.is_sure[0] || !reason.is_sure[1] => {
                self.say(format!("{stones} {} away", verb("gets", "get")), format!("{stones}が楽になります"))
            }
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
                .say(format!("{owner} gets less territory {place}"), format!("{place}の{owner}地が減ります")),
            MatterKind::ReducesTerritory => self.say(
                format!("{owner} keeps the territory {place}"),
                format!("{place}の{owner}地がそのまま残ります"),
            ),
            MatterKind::TakesOver => self.say(
                format!("{other} gets the territory {place}"),
                format!("{place}が{other}のものになります"),
            ),
        }
    }

    /// What the move threatens besides, and where that is answered.
    fn threat(&self, threat: &TaughtThreat) -> String {
        let does = self.in_short(&threat.does);
        let moves = describe_sequence(&threat.does.sequence, self.language);
        let opponent = color_name(!self.teaching.color, self.language);
        let answer = threat.answered_at;
        match moves.is_empty() {
            true => self.say(
                format!("It also {does}, which {opponent} answers at {answer}."),
                format!("さらに、{does}。{opponent}は{answer}に受けます。"),
            ),
            false => self.say(
                format!("It also {does} ({moves}), which {opponent} answers at {answer}."),
                format!("さらに、{does}（{moves}）。{opponent}は{answer}に受けます。"),
            ),
        }
    }

    fn line(&self, line: &TaughtLine) -> String {
        let opponent = !self.teaching.color;
        let name = |mv: Point| self.move_name(opponent, Move::Play(mv));
        match line {
            TaughtLine::Refutation {
                moves,
                does,
                role,
                leaves,
                captures,
                is_lost_anyway,
                back_after,
                late,
                is_stone_lost,
                turn,
                comes_anyway,
            } => {
                let is_told = self.is_line_told(moves, does.as_ref(), *role);
                let taken = if is_told { self.taken_on_the_way(moves, captures) } else { String::new() };
                let back = back_after.and_then(|after| self.comes_back(moves, after));
                let back = back.filter(|_| leaves.is_none());
                let head = match *role == AnswerRole::Here && back.is_some() {
                    true => self.exchange_first(moves, does.as_ref()),
                    false => self.refutation(moves, does.as_ref(), *role),
                };
                let late = late.map(|mv| self.comes_late(mv));
                let turn = || turn.map(|mv| self.turn_of_opponent(mv));
                let after = match leaves {
                    Some(left) if !is_told => self.later_on_matter(left, moves),
                    Some(left) if self.does_the_same(left, moves, does.as_ref(), *role) => {
                        Some(self.left_as_well(left))
                    }
                    Some(left) => self.left_on_matter(left, moves),
                    None if *comes_anyway => back.or_else(|| self.comes_after_better(moves)),
                    None => back.or(late).or_else(|| self.point_lost(moves)).or_else(turn),
                };
                let lost = does.as_ref().filter(|_| *is_lost_anyway).and_then(|does| self.lost_anyway(does));
                let stone = if *is_stone_lost { self.stone_lost() } else { String::new() };
                head + &lost.unwrap_or_default() + &taken + &stone + &after.unwrap_or_default()
            }
            TaughtLine::Threat { mv, does } => {
                let (name, does) = (name(*mv), self.as_read(does));
                self.say(
                    format!("If it is not played, {name} {does}."),
                    format!("打たないと、{name}で{does}。"),
                )
            }
            TaughtLine::Expected { moves, does, role, either_way } => {
                let line = self.line_in_brackets(moves);
                let Some(&(_, first)) = moves.first() else { return String::new() };
                if let Some(alone) = either_way.as_ref().and_then(|alone| self.left_alone(alone)) {
                    return self.comes_either_way(first) + &alone;
                }
                let undone = || self.undone_as_told(self.teaching.cause.carrying()?);
                let does = match (does, role) {
                    (Some(does), _) => Some(self.in_short(does)),
                    (None, AnswerRole::OnMatter) => undone(),
                    _ => None,
                };
                let name = name(first);
                match does {
                    Some(does) => self.say(
                        format!("If it is not played, {name} {does}{line}."),
                        format!("打たないと、{name}で{does}{line}。"),
                    ),
                    None => self.say(
                        format!("If it is not played, {name} comes first{line}."),
                        format!("打たないと、先に{name}と打たれます{line}。"),
                    ),
                }
            }
            TaughtLine::ComesLater { first, mv } => {
                self.opponent_comes_later(*first, *mv).unwrap_or_default()
            }
            TaughtLine::TheirPoint(alone) => {
                self.left_alone(alone).unwrap_or_default().trim_start().to_string()
            }
            TaughtLine::NothingHere { elsewhere, answered_at, second, alone } => {
                let alone = alone.as_ref().and_then(|alone| self.left_alone(alone)).unwrap_or_default();
                let second = second.as_ref().map(|(mv, does)| self.second_move(*mv, does));
                self.nothing_here(*elsewhere, *answered_at) + &alone + &second.unwrap_or_default()
            }
        }
    }

    /// What the opponent does to the matter of a needed move that is not played, once it has played elsewhere.
    fn opponent_comes_later(&self, first: Point, mv: Point) -> Option<String> {
        let undone = self.undone_as_told(self.teaching.cause.carrying()?)?;
        let name = color_name(!self.teaching.color, self.language);
        Some(self.say(
            format!("If it is not played, {name} plays {first} first and then {mv}, which {undone}."),
            format!("打たないと、{name}は{first}のあと{mv}に回ります。この手は{undone}。"),
        ))
    }

    /// That the opponent's move comes whether the move is played or not.
    fn comes_either_way(&self, mv: Point) -> String {
        let name = self.move_name(!self.teaching.color, Move::Play(mv));
        self.say(
            format!("{name} comes with or without this move."),
            format!("{name}はこの手を打っても打たなくても来ます。"),
        )
    }

    /// That the opponent comes to the better move's point later in a line, as a sentence behind it.
    fn point_lost(&self, moves: &[(Color, Point)]) -> Option<String> {
        let (color, better) = (self.teaching.color, self.teaching.better.as_ref()?.mv);
        let opponent = color_name(!color, self.language);
        let is_lost = moves.iter().skip(1).any(|&(by, mv)| by != color && mv == better);
        is_lost.then(|| {
            self.say(
                format!(" {opponent} comes to {better} that way."),
                format!("この間に{opponent}が{better}に打ちます。"),
            )
        })
    }

    /// That the opponent has the turn behind the moves of a line, and where it plays then, as a sentence behind them.
    fn turn_of_opponent(&self, mv: Point) -> String {
        let opponent = color_name(!self.teaching.color, self.language);
        self.say(
            format!(" {opponent} then has the turn, to play {mv}."),
            format!("その後は{opponent}の手番で、{mv}に打たれます。"),
        )
    }

    /// That the stone of the bad move is lost where it was played, as a sentence behind the answer.
    fn stone_lost(&self) -> String {
        let mv = self.teaching.mv.point().map_or(String::new(), |mv| mv.to_string());
        self.say(format!(" The stone at {mv} is lost there."), format!("{mv}の石は助かりません。"))
    }

    /// That the stones which an answer catches are lost after the better move, too, as a sentence behind it.
    fn lost_anyway(&self, does: &Reason) -> Option<String> {
        let better = self.teaching.better.as_ref()?.mv;
        let stones = if does.count > 1 { "These stones are" } else { "That stone is" };
        Some(self.say(
            format!(" {stones} lost after {better}, too."),
            format!("この石は{better}と打っても助かりません。"),
        ))
    }

    /// Moves in brackets, with a space before them in English; nothing if it is one move, which is told already.
    fn line_in_brackets(&self, moves: &[(Color, Point)]) -> String {
        let sequence = describe_sequence(moves, self.language);
        match moves.len() {
            0 | 1 => String::new(),
            _ => self.say(format!(" ({sequence})"), format!("（{sequence}）")),
        }
    }

    /// What the opponent's move does against the matter that carries the verdict, as the end of a sentence.
    fn undone_matter(&self, reason: &CarryingReason) -> Option<String> {
        let (stones, place) = (self.stones_name(reason), self.territory_place(reason));
        let owner = color_name(reason.owner(), self.language);
        let is_told = reason.kind.is_about_stones() && reason.stone.is_some();
        Some(match reason.kind {
            MatterKind::SavesStones | MatterKind::Strengthens if is_told => {
                self.say(format!("attacks {stones}"), format!("{stones}を攻めます"))
            }
            MatterKind::KillsStones | MatterKind::Weakens if is_told => {
                self.say(format!("makes {stones} safe"), format!("{stones}を守ります"))
            }
            MatterKind::BuildsTerritory => self.say(
                format!("reduces {owner}'s territory {place}"),
                format!("{place}の{owner}地を減らします"),
            ),
            MatterKind::ReducesTerritory => self
                .say(format!("secures {owner}'s territory {place}"), format!("{place}の{owner}地を固めます")),
            MatterKind::TakesOver => {
                self.say(format!("takes the territory {place}"), format!("{place}を先に占めます"))
            }
            _ => return None,
        })
    }

    /// The same behind the sentence that has named the matter: territory is not named again, unless another one is told besides.
    fn undone_as_told(&self, reason: &CarryingReason) -> Option<String> {
        self.undone_in_short(reason).or_else(|| self.undone_matter(reason))
    }

    /// The same of a territory that is the only one which has been named.
    fn undone_in_short(&self, reason: &CarryingReason) -> Option<String> {
        self.undone_territory(reason).filter(|_| self.names_one_territory())
    }

    /// Is the territory of the matter, if it is one, the only one that has been named?
    fn names_one_territory(&self) -> bool {
        let is_one = self.teaching.besides.as_ref().is_none_or(|besides| besides.kind.is_about_stones());
        is_one && !self.is_alone
    }

    /// What is proved of an answer. Of one that joins or saves its own stones on the territory which the cost has named, what it does to that
    /// is told, too.
    fn answer_in_words(&self, does: &Reason, answer: Point) -> String {
        let (deed, cause) = (self.in_short(does), &self.teaching.cause);
        let is_quiet = matches!(does.rule.family, RuleFamily::Connect | RuleFamily::Save);
        let reason = cause.carrying().filter(|_| is_quiet && is_on_matter(answer, cause));
        match reason
            .filter(|reason| is_named_near(reason, answer))
            .and_then(|reason| self.undone_territory(reason))
        {
            Some(undone) => self.say(format!("{deed}, and {undone}"), format!("{deed}。{undone}")),
            None => deed,
        }
    }

    /// What the opponent's move does to the territory that the cost has named, as the end of a sentence.
    fn undone_territory(&self, reason: &CarryingReason) -> Option<String> {
        match reason.kind {
            MatterKind::BuildsTerritory => Some(self.say("reduces that territory", "その地を減らします")),
            MatterKind::ReducesTerritory => Some(self.say("secures that territory", "その地を固めます")),
            MatterKind::TakesOver => Some(self.say("gets that place first", "そこを先に占めます")),
            _ => None,
        }
    }

    /// What the opponent's move at the better move's point does against what the cost has named, or else against what the better move gains,
    /// where nothing more is known of it, as the end of a sentence.
    fn harmed_by_open_point(&self) -> Option<String> {
        let Teaching { cause, better, .. } = self.teaching;
        match cause.carrying() {
            Some(cost) => self.harmed_matter(cost, self.undone_in_short(cost)),
            None => self.harmed_matter(better.as_ref()?.reason.as_ref()?, None),
        }
    }

    /// The same of stones, or else of territory: that in short, where it has been named.
    fn harmed_matter(&self, reason: &CarryingReason, undone: Option<String>) -> Option<String> {
        let stones = self.stones_name(reason);
        match reason.kind {
            MatterKind::KillsStones | MatterKind::Weakens => {
                Some(self.say(format!("helps {stones}"), format!("{stones}が楽になります")))
            }
            _ => undone.or_else(|| self.undone_matter(reason)),
        }
    }

    /// Are the moves behind an answer told? Not where the opponent plays elsewhere, and nothing is known of that.
    fn is_line_told(&self, moves: &[(Color, Point)], does: Option<&Reason>, role: AnswerRole) -> bool {
        let Some(&(_, first)) = moves.first() else { return false };
        let is_known = || {
            does.is_some()
                || is_on_matter(first, &self.teaching.cause)
                || self.attacked_besides(first).is_some()
        };
        role != AnswerRole::Elsewhere || is_known()
    }

    /// What the opponent still has on the matter, as a sentence behind an answer elsewhere whose line is not told: later in that, or after it.
    fn later_on_matter(&self, left: &LeftMove, line: &[(Color, Point)]) -> Option<String> {
        if line.iter().all(|&(_, played)| played != left.mv) {
            return self.left_on_matter(left, line);
        }
        let name = self.move_name(!self.teaching.color, Move::Play(left.mv));
        let does = self.left_deed(left)?;
        Some(self.say(format!(" Later {name} {does}."), format!("その後、{name}で{does}。")))
    }

    /// What the opponent's move does that it still has on the matter.
    fn left_deed(&self, left: &LeftMove) -> Option<String> {
        match &left.does {
            Some(does) => Some(self.in_short(does)),
            None if left.is_only_open => self.harmed_by_open_point(),
            None => self.undone_as_told(self.teaching.cause.carrying()?),
        }
    }

    /// What the opponent still has on the matter, as a sentence behind a line that is told; in it or after it.
    fn left_on_matter(&self, left: &LeftMove, line: &[(Color, Point)]) -> Option<String> {
        let does = self.left_deed(left)?;
        let name = self.move_name(!self.teaching.color, Move::Play(left.mv));
        let is_in_line = line.iter().any(|&(_, told)| told == left.mv);
        Some(if is_in_line {
            self.say(format!(" There {name} {does}."), format!("{name}で{does}。"))
        } else {
            self.say(
                format!(" That leaves {name}, which {does}."),
                format!("そのうえ{name}と打つ手が残ります。{does}。"),
            )
        })
    }

    /// That the mover of a bad move plays the better one after so many moves of a line, as a sentence behind those that are told. If that is at
    /// once, the opponent has got its answer for nothing.
    fn comes_back(&self, told: &[(Color, Point)], after: usize) -> Option<String> {
        let (mover, better) = (self.teaching.color, self.teaching.better.as_ref()?.mv);
        let &(opponent, got) = told.first()?;
        let [name, other] = [mover, opponent].map(|color| color_name(color, self.language));
        Some(if after == 1 {
            self.say(
                format!(" Then {name} comes back to {better}, but {other} has {got} as well now."),
                format!("その後{name}は{better}に戻りますが、{other}は{got}にも打てました。"),
            )
        } else if after < told.len() {
            self.say(
                format!(" Then {name} comes back to {better}."),
                format!("その後{name}は{better}に戻ります。"),
            )
        } else {
            self.say(
                format!(" {name} comes back to {better} only after that."),
                format!("{name}が{better}に戻るのはその後です。"),
            )
        })
    }

    /// That the opponent plays the same after the better move, too, as a sentence behind its line.
    fn comes_after_better(&self, line: &[(Color, Point)]) -> Option<String> {
        let (&(color, first), better) = (line.first()?, self.teaching.better.as_ref()?.mv);
        let (name, answer) = (color_name(color, self.language), self.move_name(color, Move::Play(first)));
        Some(self.say(
            format!(" {answer} comes after {better}, too."),
            format!("{better}の後でも{name}は{first}に打ちます。"),
        ))
    }

    /// That the mover plays where the cost lies only behind the moves of a line that are told, as a sentence behind them.
    fn comes_late(&self, mv: Point) -> String {
        let name = color_name(self.teaching.color, self.language);
        self.say(
            format!(" {name} plays where the cost lies, at {mv}, only after that."),
            format!("{name}が損の出た所の{mv}に打てるのはその後です。"),
        )
    }

    /// A line in which the opponent's first move is played beside the matter, and the mover comes back to the better move.
    fn exchange_first(&self, moves: &[(Color, Point)], does: Option<&Reason>) -> String {
        let Some(&(color, first)) = moves.first() else { return String::new() };
        let (name, line) = (color_name(color, self.language), self.line_in_brackets(moves));
        match does.map(|does| self.in_short(does)) {
            Some(does) => self.say(
                format!("{name} plays {first} first, which {does}{line}."),
                format!("先に{name}{first}と打たれます。{does}{line}。"),
            ),
            None => self.say(
                format!("{name} plays {first} first{line}."),
                format!("先に{name}{first}と打たれます{line}。"),
            ),
        }
    }

    /// The stones that a line takes off the board after its first move, as a sentence behind it.
    fn taken_on_the_way(&self, moves: &[(Color, Point)], captures: &[usize]) -> String {
        let mover = self.teaching.color;
        let taken_by = |side: Color| -> usize {
            let later = moves.iter().zip(captures).skip(1);
            later.filter(|((color, _), _)| *color == side).map(|(_, taken)| taken).sum()
        };
        let [own, others] = [mover, !mover].map(taken_by);
        let [name, opponent] = [mover, !mover].map(|color| color_name(color, self.language));
        let stones = |count: usize| format_count(count, "stone");
        match (own, others) {
            (0, 0) => String::new(),
            (own, 0) => self.say(
                format!(" {name} takes {} that way.", stones(own)),
                format!("この間に{name}が{own}子を取ります。"),
            ),
            (0, others) => self.say(
                format!(" {opponent} takes {} that way.", stones(others)),
                format!("この間に{opponent}が{others}子を取ります。"),
            ),
            (own, others) => self.say(
                format!(" {name} takes {} that way, and {opponent} {others}.", stones(own)),
                format!("この間に{name}が{own}子、{opponent}が{others}子を取ります。"),
            ),
        }
    }

    fn nothing_here(&self, elsewhere: Option<Point>, answered_at: Option<Point>) -> String {
        let opponent = color_name(!self.teaching.color, self.language);
        if let Some(answer) = answered_at {
            return self.say(
                format!("It costs no turn: {opponent} answers at {answer}."),
                format!("{opponent}が{answer}に受けるので、先手で打てます。"),
            );
        }
        let Some(point) = elsewhere else {
            return self.say(
                format!("If it is not played, nothing happens: {opponent} would pass."),
                format!("打たなくても何も起こりません（{opponent}はパス）。"),
            );
        };
        let also = self.wanted_as_well(point);
        // By the points that are told: whole ones.
        let Teaching { cause, whole_gain, .. } = self.teaching;
        let worth = cause.carrying().map(|reason| reason.points).or(*whole_gain).map_or(0.0, f64::round);
        if worth >= BIG_MATTER {
            self.say(
                format!(
                    "It is big, but not urgent: {opponent} would play elsewhere first, at {point}{also}."
                ),
                format!("大きい手ですが急ぎません（{opponent}は先に他所の{point}に打ちます{also}）。"),
            )
        } else if worth >= SMALL_MATTER {
            self.say(
                format!("It can wait: {opponent} would play elsewhere first, at {point}{also}."),
                format!("急ぐ手ではありません（{opponent}は先に他所の{point}に打ちます{also}）。"),
            )
        } else {
            self.say(
                format!("If it is not played, nothing happens here at once: {opponent} would play elsewhere, at {point}{also}."),
                format!("打たなくても、ここではすぐに何も起こりません（{opponent}は他所の{point}へ{also}）。"),
            )
        }
    }

    /// That a point where the opponent would play is one of the mover's good moves, too, behind it.
    fn wanted_as_well(&self, point: Point) -> String {
        if !self.teaching.as_good.contains(&point) {
            return String::new();
        }
        let name = color_name(self.teaching.color, self.language);
        self.say(
            format!(", which is as good for {name}, too"),
            format!("。{name}にとっても同じくらい良い所です"),
        )
    }

    /// What becomes of the place of a move that can wait, as a sentence behind that.
    fn left_alone(&self, alone: &LeftAlone) -> Option<String> {
        let color = self.teaching.color;
        let [own, other] = [color, !color].map(|side| color_name(side, self.language));
        Some(match alone {
            LeftAlone::TheirMove { mv, does } => self.their_move(*mv, does),
            LeftAlone::TheyCome { mv } => {
                let undone = self.undone_as_told(self.teaching.cause.carrying()?)?;
                self.say(
                    format!(" After that {other} {mv} {undone}."),
                    format!("その後、{other}{mv}で{undone}。"),
                )
            }
            LeftAlone::TheirPoint { mv, cost } => self.their_point(*mv, cost),
            LeftAlone::Owned(share) if *share >= OWNED => self.say(
                format!(" Without it most of that place is {own}'s all the same."),
                format!("打たなくても、そこの大半は{own}のものです。"),
            ),
            LeftAlone::Owned(share) if *share <= -OWNED => self.say(
                format!(" Without it most of that place is {other}'s."),
                format!("打たないと、そこの大半は{other}のものです。"),
            ),
            LeftAlone::Owned(_) => self.say(
                " Without it either side may get that place.",
                "打たないと、そこはどちらのものにもなり得ます。",
            ),
        })
    }

    /// What the mover has lost where the opponent plays at its point first, as a sentence behind what is said of a move.
    fn their_point(&self, mv: Point, cost: &CarryingReason) -> String {
        let [own, other] =
            [self.teaching.color, !self.teaching.color].map(|side| color_name(side, self.language));
        let (what, size) = (self.lost_there(cost), points_text(cost.points, self.language));
        self.say(
            format!(
                " If {other} plays {mv} first, {what}, and {own} has {size} less than after its own move."
            ),
            format!("先に{other}に{mv}と打たれると、{what}（{own}が先に打った場合より{size}の損）。"),
        )
    }

    /// What is lost to the opponent's move at a point, as a clause. Territory that the text has named is not named again.
    fn lost_there(&self, cost: &CarryingReason) -> String {
        let stones = self.stones_name(cost);
        let verb = |one: &'static str, many: &'static str| if cost.stones.len() == 1 { one } else { many };
        let named = self.teaching.cause.carrying().filter(|told| is_same_territory(told, cost));
        let owner = color_name(cost.owner(), self.language);
        match (cost.kind, named) {
            // That they die is known from the worse way alone.
            (MatterKind::SavesStones, _) if cost.is_sure[1] => {
                self.say(format!("{stones} {}", verb("dies", "die")), format!("{stones}が死にます"))
            }
            (MatterKind::KillsStones, _) if cost.is_sure == [true; 2] => {
                self.say(format!("{stones} {}", verb("lives", "live")), format!("{stones}が生きます"))
            }
            (MatterKind::Strengthens, _) if !self.is_told_as_strengthened(&cost.stones) => self.say(
                format!("{stones} {} weak", verb("becomes", "become")),
                format!("{stones}が弱くなります"),
            ),
            (MatterKind::BuildsTerritory, Some(_)) => {
                self.say("that territory becomes smaller", "その地が減ります")
            }
            (MatterKind::ReducesTerritory, Some(_)) => {
                self.say("that territory becomes larger", "その地が増えます")
            }
            (MatterKind::ReducesTerritory, None) => {
                let place = self.territory_place(cost);
                self.say(
                    format!("{owner} gets more territory {place}"),
                    format!("{place}の{owner}地が増えます"),
                )
            }
            _ => self.missed_matter(cost),
        }
    }

    /// Does the text say of some of these stones that the move makes them safer? They are weak already, then.
    fn is_told_as_strengthened(&self, stones: &PointSet) -> bool {
        let Teaching { cause, besides, .. } = self.teaching;
        let mut told = cause.carrying().into_iter().chain(besides);
        told.any(|told| told.kind == MatterKind::Strengthens && !told.stones.intersection(stones).is_empty())
    }

    /// What the opponent's move at the same point does, as a sentence behind what is said of a move.
    fn their_move(&self, mv: Point, does: &Reason) -> String {
        let (other, does) = (color_name(!self.teaching.color, self.language), self.in_short(does));
        self.say(
            format!(" {other}'s own move there, {mv}, {does}."),
            format!("{other}が先に{mv}に打てば、{does}。"),
        )
    }

    /// What a second move of the same side does, as a sentence behind that the first one can wait.
    fn second_move(&self, mv: Point, does: &Reason) -> String {
        let (name, does) = (self.move_name(self.teaching.color, Move::Play(mv)), self.in_short(does));
        self.say(
            format!(" After it a second move, {name}, {does}."),
            format!("この手に続けて{name}と打てば、{does}。"),
        )
    }

    fn refutation(&self, moves: &[(Color, Point)], does: Option<&Reason>, role: AnswerRole) -> String {
        let Some(&(color, first)) = moves.first() else { return String::new() };
        let (name, line) = (self.move_name(color, Move::Play(first)), self.line_in_brackets(moves));
        match (self.deed_of_answer(first, does, role), role) {
            (Some(does), AnswerRole::TakesPoint) if does.contains(", and ") => self.say(
                format!("The answer: {name} takes the very point. It {does}{line}."),
                format!("相手の応手：肝心の点に{name}と打たれます。{does}{line}。"),
            ),
            (Some(does), AnswerRole::TakesPoint) => self.say(
                format!("The answer: {name} takes the very point, and {does}{line}."),
                format!("相手の応手：肝心の点に{name}と打たれます。{does}{line}。"),
            ),
            (None, AnswerRole::TakesPoint) => self.say(
                format!("The answer: {name} takes the very point{line}."),
                format!("相手の応手：肝心の点に{name}と打たれます{line}。"),
            ),
            (Some(does), AnswerRole::Elsewhere) => {
                let other = color_name(color, self.language);
                self.say(
                    format!("{other} need not answer it: {name} {does}{line}."),
                    format!("{other}は受けずに{first}と打てます。{does}{line}。"),
                )
            }
            (None, AnswerRole::Elsewhere) => {
                let other = color_name(color, self.language);
                self.say(
                    format!("{other} need not answer it, and plays elsewhere, at {first}."),
                    format!("{other}は受けずに、他所の{first}に打てます。"),
                )
            }
            (Some(does), _) => self.say(
                format!("The answer: {name} {does}{line}."),
                format!("相手の応手：{name}。{does}{line}。"),
            ),
            (None, _) => {
                self.say(format!("The answer: {name}{line}."), format!("相手の応手：{name}{line}。"))
            }
        }
    }

    /// What is told that an answer does: what is proved, or else what it does to the matter or to what is told besides.
    fn deed_of_answer(&self, answer: Point, does: Option<&Reason>, role: AnswerRole) -> Option<String> {
        let undone = || self.undone_as_told(self.teaching.cause.carrying()?);
        match (does, role) {
            (Some(does), _) => Some(self.answer_in_words(does, answer)),
            (None, AnswerRole::OnMatter | AnswerRole::TakesPoint) => undone(),
            (None, AnswerRole::Elsewhere) if is_on_matter(answer, &self.teaching.cause) => undone(),
            (None, _) => self.attacked_besides(answer),
        }
    }

    /// Does what is left to the opponent behind a line do just what its answer is told to do?
    fn does_the_same(
        &self,
        left: &LeftMove,
        line: &[(Color, Point)],
        does: Option<&Reason>,
        role: AnswerRole,
    ) -> bool {
        let Some(&(_, answer)) = line.first() else { return false };
        let is_in_line = line.iter().any(|&(_, told)| told == left.mv);
        let told = self.deed_of_answer(answer, does, role);
        !is_in_line && told.is_some() && told == self.left_deed(left)
    }

    /// That the opponent has another move that does the same, as a sentence behind a line.
    fn left_as_well(&self, left: &LeftMove) -> String {
        let name = self.move_name(!self.teaching.color, Move::Play(left.mv));
        self.say(format!(" That leaves {name}, too."), format!("そのうえ{name}も残ります。"))
    }

    /// That an answer attacks own stones that are told besides, if it is played right at them, as the end of a sentence.
    fn attacked_besides(&self, answer: Point) -> Option<String> {
        let besides = self.teaching.besides.as_ref()?;
        let is_weak = matches!(besides.kind, MatterKind::SavesStones | MatterKind::Strengthens);
        let is_at_them = besides.stones.iter().any(|stone| stone.lines_to(answer) <= 1);
        if is_weak && is_at_them { self.undone_matter(besides) } else { None }
    }

    /// How many moves of a plan are told.
    fn told_of_plan(&self, plan: &MovePlan) -> usize {
        plan.moves.len().min(self.teaching.listener.moves_of_line() + 1)
    }

    /// That the mover comes to the bad move's point as well in the line of the better one, as a sentence behind it; nothing where the principle
    /// says so.
    fn comes_to_both(&self, told: &[(Color, Point)]) -> String {
        let Teaching { color, mv, principle, .. } = self.teaching;
        let is_said =
            principle.as_ref().is_some_and(|principle| principle.kind == PrincipleKind::AnsweredFirst);
        let comes = told.iter().skip(1).any(|&(by, point)| by == *color && Move::Play(point) == *mv);
        if is_said || !comes {
            return String::new();
        }
        let name = color_name(*color, self.language);
        self.say(
            format!(" {name} comes to {mv} as well that way."),
            format!("この順なら{name}は{mv}にも打てます。"),
        )
    }

    /// That the opponent's answer to the bad move comes in the line of the better one, too, and how it is met there, as a sentence behind that line.
    fn answer_met(&self, better: &BetterMove) -> String {
        let Some([answer, reply]) = better.met_answer else { return String::new() };
        let [name, other] =
            [self.teaching.color, !self.teaching.color].map(|color| color_name(color, self.language));
        let better = better.mv;
        self.say(
            format!(" {other} {answer} comes after {better}, too, but then {name} answers it at {reply}."),
            format!("{other}{answer}は{better}のあとにも来ますが、{name}は{reply}と受けられます。"),
        )
    }

    /// How it goes on, and what that wants where the reason does not say so already.
    fn plan(&self, plan: &MovePlan) -> String {
        let told = self.told_of_plan(plan);
        let line = describe_sequence(&plan.moves[..told], self.language);
        let taken = self.taken_on_the_way(&plan.moves[..told], &plan.captures);
        let elsewhere = plan.then_elsewhere.map_or(String::new(), |point| point.to_string());
        let [before, first] = plan.then_elsewhere.map(|point| self.who_is_first(point)).unwrap_or_default();
        let text = match plan.kind {
            PlanKind::Tenuki => {
                let text = self.say(
                    format!(
                        "The plan: to finish here first, and then to play elsewhere, at {elsewhere}{before}: {line}."
                    ),
                    format!("狙い：ここを先手で決めて、{first}他所の{elsewhere}に回ります（{line}）。"),
                );
                return text + &taken;
            }
            _ => match plan_name(plan.kind) {
                Some((english, japanese)) => {
                    self.say(format!("The plan: {english}: {line}."), format!("狙い：{japanese}（{line}）。"))
                }
                None => self.say(format!("It goes on {line}."), format!("続きは{line}。")),
            },
        };
        let text = text + &taken;
        if let Some(ko) = plan.ko {
            // Nobody understands a ko whose first capture is not among the moves that are told.
            let is_shown = plan.is_ko_told && told == plan.moves.len();
            return if is_shown { text + &self.ko_threat(ko) } else { text };
        }
        let mover = color_name(self.teaching.color, self.language);
        match plan.then_elsewhere {
            Some(point) => self.say(
                format!("{text} Then it is {mover}'s turn again, to play {point}{before}."),
                format!("{text}その後も{mover}の先手で、{first}{point}に回れます。"),
            ),
            None => text,
        }
    }

    /// That the mover threatens something before it takes a ko back, as a sentence behind the moves that come to the ko.
    fn ko_threat(&self, ko: KoThreat) -> String {
        let name = color_name(self.teaching.color, self.language);
        let KoThreat { threat, retake } = ko;
        self.say(
            format!(" Then {name} makes a ko threat, at {threat}, and takes the ko back at {retake}."),
            format!("続いて{name}は{threat}にコウダテを打ち、{retake}でコウを取り返します。"),
        )
    }

    /// That the opponent would play at a point instead of answering the bad move: words behind the point in English, and before it in Japanese.
    fn who_is_first(&self, point: Point) -> [String; 2] {
        if self.first_move_elsewhere() != Some(point) {
            return Default::default();
        }
        let opponent = !self.teaching.color;
        [
            format!(" before {} does", color_name(opponent, Language::English)),
            format!("{}より先に", color_name(opponent, Language::Japanese)),
        ]
    }

    fn better(&self, better: &BetterMove) -> String {
        let name = self.move_name(self.teaching.color, Move::Play(better.mv));
        let head = match self.better_sentence(better) {
            Some(does) => {
                self.say(format!("Better: {name}. {does}"), format!("もっと良い手：{name}。{does}"))
            }
            None => self.say(format!("Better: {name}."), format!("もっと良い手：{name}。")),
        };
        let answered = self.answered_better(better);
        let told = if answered.is_empty() { 1 } else { 2 };
        let besides = self.better_besides(better);
        let prevents = better.prevents.as_ref().filter(|deed| besides.is_none() || !self.is_besides(deed));
        let prevented = prevents.map(|deed| self.prevented(deed));
        let theirs = better.theirs.as_ref().map(|deed| self.their_move(better.mv, deed));
        let head =
            head + &besides.unwrap_or_default() + &prevented.or(theirs).unwrap_or_default() + &answered;
        let head = head + &self.smaller_place(better) + &self.spared_answer(better);
        match &better.plan {
            Some(plan) => {
                let after = self.play_at_cost(better, plan).unwrap_or_default();
                let both =
                    self.comes_to_both(&plan.moves[..self.told_of_plan(plan)]) + &self.answer_met(better);
                let plan = self.plan(plan);
                self.say(format!("{head} {plan}{after}{both}"), format!("{head}{plan}{after}{both}"))
            }
            None if better.moves.len() > told => {
                let line = describe_sequence(&better.moves, self.language);
                let both = self.comes_to_both(&better.moves) + &self.answer_met(better);
                let taken = self.taken_on_the_way(&better.moves, &better.captures) + &both;
                self.say(format!("{head} It goes on {line}.{taken}"), format!("{head}続きは{line}。{taken}"))
            }
            None => head,
        }
    }

    /// Is what a move does about stones that are told beside the cost?
    fn is_besides(&self, deed: &Reason) -> bool {
        let besides = self.teaching.besides.as_ref();
        besides.zip(deed.about).is_some_and(|(besides, stone)| besides.stones.contains(stone))
    }

    /// What the better move does with the stones that are told beside the cost, as a sentence behind what it does for that: where these stand at
    /// it, and are worth much beside the cost.
    fn better_besides(&self, better: &BetterMove) -> Option<String> {
        let (cost, besides) = (self.teaching.cause.carrying()?, self.teaching.besides.as_ref()?);
        let is_at_move = is_at(&besides.stones, &PointSet::from_point(better.mv));
        let is_much = besides.points >= SHARE_BESIDES * cost.points;
        let is_said = better.does.as_ref().is_some_and(|does| says_matter(does, besides));
        let is_told = besides.kind.is_about_stones() && is_at_move && is_much && !is_said;
        if !is_told || better.reason.as_ref() != Some(cost) {
            return None;
        }
        let gained = self.gained_matter(besides);
        Some(self.say(format!(" It also {gained}."), format!("また、{gained}。")))
    }

    /// That the opponent answers the better move, where it costs the bad one that it did not have to; nothing where the plan says that.
    fn answered_better(&self, better: &BetterMove) -> String {
        let is_said = better.plan.as_ref().is_some_and(|plan| plan.then_elsewhere.is_some());
        match better.answered_at.filter(|_| !is_said) {
            Some(answer) => {
                let opponent = color_name(!self.teaching.color, self.language);
                match self.move_instead_of_answer().filter(|&instead| instead != answer) {
                    Some(instead) if self.is_told_behind(better, instead) => self.say(
                        format!(
                            " {opponent} answers that, at {answer}, and comes to {instead} only after it."
                        ),
                        format!(
                            "これには{opponent}も{answer}と受けるので、{instead}に打てるのはその後です。"
                        ),
                    ),
                    Some(instead) => self.say(
                        format!(" {opponent} answers that, at {answer}, and cannot play {instead} at once."),
                        format!("これには{opponent}も{answer}と受けるので、すぐには{instead}に打てません。"),
                    ),
                    None => self.say(
                        format!(" {opponent} answers that, at {answer}."),
                        format!("これには{opponent}も{answer}と受けます。"),
                    ),
                }
            }
            None => String::new(),
        }
    }

    /// That the opponent gets the bad move's point instead, where the sizes of both are told, as a sentence behind what the better move does.
    fn smaller_place(&self, better: &BetterMove) -> String {
        let Teaching { color, mv, sizes, .. } = self.teaching;
        let Some(other) = mv.point().filter(|_| better.leaves_other && sizes.is_some()) else {
            return String::new();
        };
        let (name, better) = (color_name(!*color, self.language), better.mv);
        self.say(
            format!(" {name} gets {other} instead, which is the smaller of the two."),
            format!("{name}は代わりに{other}に打てますが、そこは{better}より小さい所です。"),
        )
    }

    /// That the bad move has only brought the opponent to a point where it does not come after the better one, as a sentence behind what that does.
    fn spared_answer(&self, better: &BetterMove) -> String {
        let (Some(answer), Some(bad)) = (better.spared, self.teaching.mv.point()) else {
            return String::new();
        };
        let opponent = color_name(!self.teaching.color, self.language);
        self.say(
            format!(" Unlike {bad} it does not bring {opponent} to {answer}."),
            format!("{bad}と違って、{opponent}の{answer}を誘いません。"),
        )
    }

    /// Does the opponent play at a point in what is told of how the better move goes on?
    fn is_told_behind(&self, better: &BetterMove, mv: Point) -> bool {
        let told = match &better.plan {
            Some(plan) => &plan.moves[..self.told_of_plan(plan)],
            None => &better.moves[..],
        };
        told.contains(&(!self.teaching.color, mv))
    }

    /// Where the opponent plays on the matter, or beside the stones that it is about, elsewhere than a bad move that it need not answer.
    fn move_instead_of_answer(&self) -> Option<Point> {
        let cause = &self.teaching.cause;
        let is_at_stones = |first: Point| {
            cause.carrying().is_some_and(|reason| reason.stones.with_neighbours().contains(first))
        };
        self.first_move_elsewhere().filter(|&first| is_on_matter(first, cause) || is_at_stones(first))
    }

    /// Where the opponent plays, elsewhere than a bad move that it need not answer.
    fn first_move_elsewhere(&self) -> Option<Point> {
        match &self.teaching.line {
            Some(TaughtLine::Refutation { moves, role: AnswerRole::Elsewhere, .. }) => {
                moves.first().map(|&(_, first)| first)
            }
            _ => None,
        }
    }

    /// What the mover plays after the better move where the cost lies, if that is elsewhere, as a sentence behind the plan.
    fn play_at_cost(&self, better: &BetterMove, plan: &MovePlan) -> Option<String> {
        let (reason, next) = (self.teaching.cause.carrying()?, plan.then_elsewhere?);
        let is_at_cost = |mv: Point| is_at(&reason.area.points, &PointSet::from_point(mv));
        if is_at_cost(better.mv) || !is_at_cost(next) {
            return None;
        }
        let does = match reason.kind {
            MatterKind::KillsStones | MatterKind::Weakens => return None,
            MatterKind::SavesStones | MatterKind::Strengthens => self.gained_matter(reason),
            _ => self.gain_as_told(reason),
        };
        let name = self.move_name(self.teaching.color, Move::Play(next));
        Some(self.say(format!(" {name} then {does}."), format!("{name}で{does}。")))
    }

    /// What the better move does, as a sentence. What the bad move does, too, is told as that.
    fn better_sentence(&self, better: &BetterMove) -> Option<String> {
        let bad = self.teaching.mv;
        match (better.shared, &better.does, bad) {
            (SharedDeed::Same, Some(does), Move::Play(bad)) => Some(self.shared_deed(better, does, bad)),
            (SharedDeed::TakesCaught, Some(does), Move::Play(bad)) => {
                Some(self.taken_deed(better, does, bad))
            }
            _ => {
                let (does, worth) = (self.better_does(better)?, self.worth_of_better(better));
                Some(self.say(format!("It {does}{worth}."), format!("{does}{worth}。")))
            }
        }
    }

    /// What the better move's own reason is worth, in brackets, where the cost says little of the loss.
    fn worth_of_better(&self, better: &BetterMove) -> String {
        let Teaching { cause, besides, verdict, sizes, .. } = self.teaching;
        let cost = cause.carrying();
        let is_little = cost.map_or(sizes.is_some(), |cost| cost.points < LITTLE_OF_LOSS * verdict.points);
        let is_own = |reason: &&CarryingReason| Some(*reason) != cost && Some(*reason) != besides.as_ref();
        let own = better.reason.as_ref().filter(|_| is_little).filter(is_own);
        own.map_or(String::new(), |reason| {
            let worth = points_text(reason.points, self.language);
            self.say(format!(" ({worth})"), format!("（{worth}）"))
        })
    }

    /// What both moves do, and what the better one does besides: what it has before the bad one, and not only before doing nothing.
    fn shared_deed(&self, better: &BetterMove, does: &Reason, bad: Point) -> String {
        let deed = self.in_short(does);
        let tells_apart = better.reason.is_some() && better.reason.as_ref() == self.teaching.cause.carrying();
        let more = self.more_of_better(better, does).filter(|_| tells_apart);
        match more.or_else(|| better.alone.as_ref().map(|idea| self.in_short(idea))) {
            Some(more) => self.say(
                format!("Like {bad} it {deed}, but it also {more}."),
                format!("{bad}と同じく、{deed}。さらに、{more}。"),
            ),
            None => self.say(format!("Like {bad} it {deed}."), format!("{bad}と同じく、{deed}。")),
        }
    }

    /// That the better move takes stones which the bad one only keeps from getting away.
    fn taken_deed(&self, better: &BetterMove, does: &Reason, bad: Point) -> String {
        let (deed, them) = (self.in_short(does), if does.count > 1 { "them" } else { "it" });
        let told = self.say(
            format!("It {deed}: {bad} only shuts {them} in, and does not take {them}."),
            format!("{deed}。{bad}では逃げ道をふさぐだけで、石はまだ盤に残ります。"),
        );
        match self.more_of_better(better, does) {
            Some(more) => self.say(format!("{told} It also {more}."), format!("{told}さらに、{more}。")),
            None => told,
        }
    }

    /// What the better move gains beside what it is proved to do: what it has before the bad one, or what the proof does not say.
    fn more_of_better(&self, better: &BetterMove, does: &Reason) -> Option<String> {
        let is_said = better.reason.as_ref() == self.teaching.cause.carrying();
        match &better.reason {
            Some(reason) if is_said && !reason.kind.is_about_stones() && self.names_one_territory() => {
                Some(self.said_gain(reason))
            }
            Some(reason) if is_said || !says_matter(does, reason) => Some(self.gained_matter(reason)),
            Some(_) => None,
            None => better.means.as_ref().map(|means| self.in_short(means)),
        }
    }

    /// What the opponent can no longer do at the point of the better move, as a sentence behind what that does.
    fn prevented(&self, deed: &Reason) -> String {
        let Some(stone) = deed.about else { return String::new() };
        let (opponent, count) = (color_name(!self.teaching.color, self.language), deed.count);
        match deed.rule.name {
            "threaten" => self.say(
                format!(" That prevents {opponent}'s threat to the {count} stones at {stone}."),
                format!("{stone}の{count}子への{opponent}の狙いも防いでいます。"),
            ),
            _ => self.say(
                format!(" That keeps {opponent} from catching the {count} stones at {stone} there."),
                format!("{opponent}にここへ打たれて{stone}の{count}子を取られるのも防いでいます。"),
            ),
        }
    }

    /// What the better move does: what is proved, or else how it is played and what that gains. What the cost has said already is not said
    /// again, if there is something else to say.
    fn better_does(&self, better: &BetterMove) -> Option<String> {
        let told = better.does.as_ref().or(better.means.as_ref());
        let Some(reason) = &better.reason else { return told.map(|told| self.in_short(told)) };
        let told = told.filter(|told| !threatens_killed(told, reason)).or(better.means.as_ref());
        let is_said = better.reason.as_ref() == self.teaching.cause.carrying();
        let named = self.named_territory(reason);
        let reason = &named.map_or(*reason, |named| with_name_of(reason, named));
        let is_about_stones = reason.kind.is_about_stones();
        if let Some(named) = named.filter(|named| is_named_otherwise(named, reason)) {
            return Some(self.with_means(told, &self.gain_as_told(named)));
        }
        Some(match told {
            // What is proved of the very stones says what becomes of them.
            Some(told) if better.does.is_some() && says_outcome(told, reason) => self.in_short(told),
            Some(told) if is_said && !is_about_stones && self.names_one_territory() => {
                self.with_means(Some(told), &self.said_gain(reason))
            }
            told => self.with_means(told, &self.gained_matter(reason)),
        })
    }

    /// The territory of the cost, or else that which is told besides, if a gain is about it or a part of it.
    fn named_territory(&self, gain: &CarryingReason) -> Option<&CarryingReason> {
        let Teaching { cause, besides, .. } = self.teaching;
        [cause.carrying(), besides.as_ref()].into_iter().flatten().find(|told| is_same_territory(gain, told))
    }

    /// What the better move does to territory that the text has named: that of the cost, or what is told besides.
    fn gain_as_told(&self, named: &CarryingReason) -> String {
        if self.names_one_territory() { self.said_gain(named) } else { self.gained_matter(named) }
    }

    /// What the better move does to the territory that the cost has named.
    fn said_gain(&self, reason: &CarryingReason) -> String {
        let owner = color_name(reason.owner(), self.language);
        match reason.kind {
            MatterKind::BuildsTerritory => self.say("keeps that territory", "その地を守ります"),
            MatterKind::ReducesTerritory => self.say(
                format!("makes {owner}'s territory there smaller"),
                format!("その{owner}地を減らします"),
            ),
            _ => self.say("takes that place first", "そこを先に占めます"),
        }
    }

    /// What the opponent's move threatened, if that is the move that follows.
    fn threatened_move(&self) -> Option<Point> {
        match self.teaching.line.as_ref()? {
            TaughtLine::Refutation { moves, role: AnswerRole::TakesPoint, .. } => Some(moves.first()?.1),
            TaughtLine::Refutation { leaves, .. } => {
                leaves.as_ref().filter(|left| !left.is_only_open).map(|left| left.mv)
            }
            _ => None,
        }
    }

    fn principle(&self, principle: &Principle) -> String {
        let (english, japanese) = principle_sentence(principle.kind);
        let evidence = self.evidence(principle);
        self.say(format!("Remember: {english} ({evidence})."), format!("心得：{japanese}（{evidence}）。"))
    }

    /// That the opponent answers a good move, and what the mover has by that before the bad one: its point, too, or the turn.
    fn answered_first(&self, good: Point) -> String {
        let Teaching { color, mv, better, .. } = self.teaching;
        let opponent = color_name(!*color, self.language);
        match better.as_ref().is_some_and(|better| better.gets_both) {
            true => self.say(
                format!("{opponent} answers {good}, and {mv} is still there"),
                format!("{good}には{opponent}が受けるので、{mv}にも回れます"),
            ),
            false => self.say(
                format!("{opponent} answers {good}, and {mv} gives {opponent} the turn"),
                format!("{good}には{opponent}が受けますが、{mv}では{opponent}に手番が渡ります"),
            ),
        }
    }

    /// What shows that a principle is the one.
    fn evidence(&self, principle: &Principle) -> String {
        let Principle { kind, evidence, color, count, other } = principle;
        let name = color_name(*color, self.language);
        match kind {
            PrincipleKind::DeadStones => self.say(
                format!("the {count} stones at {evidence} cannot be saved"),
                format!("{evidence}の{count}子はもう助かりません"),
            ),
            PrincipleKind::AnswerFirst => match self.threatened_move() {
                Some(mv) => self.say(
                    format!("{name} {evidence} threatened {mv}"),
                    format!("{name}{evidence}は{mv}を狙っていました"),
                ),
                None => self.say(
                    format!("{name} {evidence} was played right there"),
                    format!("{name}{evidence}はそのすぐそばの手でした"),
                ),
            },
            PrincipleKind::WeakGroupFirst | PrincipleKind::AttackFirst if *count == 1 => self.say(
                format!("{name}'s stone at {evidence} was weak before this move"),
                format!("{name}{evidence}の石はこの手の前から弱い石でした"),
            ),
            PrincipleKind::WeakGroupFirst | PrincipleKind::AttackFirst if *count == 0 => self.say(
                format!("{name}'s stones at {evidence} were weak before this move"),
                format!("{name}{evidence}の石はこの手の前から弱い石でした"),
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
            PrincipleKind::CutFirst | PrincipleKind::ConnectFirst => match other {
                Some(other) => self.say(
                    format!("here {name} {evidence} and {other}"),
                    format!("ここでは{name}の{evidence}と{other}"),
                ),
                None => self.say(format!("see {name} {evidence}"), format!("{name}{evidence}がその例です")),
            },
            PrincipleKind::LeaveExchange => {
                let answer = other.map_or(String::new(), |other| other.to_string());
                self.say(format!("here {evidence} for {answer}"), format!("ここでは{evidence}と{answer}"))
            }
            PrincipleKind::DecidesFirst if *count == 1 => self.say(
                format!("the next move decides {name}'s stone at {evidence}"),
                format!("{name}{evidence}の石は次の一手で決まります"),
            ),
            PrincipleKind::DecidesFirst if *count == 0 => self.say(
                format!("the next move decides {name}'s stones at {evidence}"),
                format!("{name}{evidence}の石は次の一手で決まります"),
            ),
            PrincipleKind::DecidesFirst => self.say(
                format!("the next move decides {name}'s {count} stones at {evidence}"),
                format!("{name}{evidence}の{count}子は次の一手で決まります"),
            ),
            PrincipleKind::AnsweredFirst => self.answered_first(*evidence),
            PrincipleKind::PushFromBehind => self.say(
                format!("{name} {evidence} stays ahead, and gets territory by it"),
                format!("{name}{evidence}が先に進み、そこが地になります"),
            ),
            PrincipleKind::SamePoint => self
                .say(format!("{name} wants {evidence}"), format!("{name}も{evidence}に打ちたいところです")),
        }
    }
}

/// What a plan wants, where that is more than what its first move gains.
fn plan_name(kind: PlanKind) -> Option<(&'static str, &'static str)> {
    match kind {
        PlanKind::Attack => Some(("to gain by attacking", "攻めながら得をする")),
        PlanKind::Sacrifice => Some(("to give stones up for more elsewhere", "石を捨てて他所で得をする")),
        PlanKind::ConnectUnder => Some(("to connect under along the edge", "盤端でワタる")),
        PlanKind::KoFight => Some(("to fight the ko", "コウを争う")),
        PlanKind::Settle
        | PlanKind::Connect
        | PlanKind::Kill
        | PlanKind::Build
        | PlanKind::Reduce
        | PlanKind::Tenuki => None,
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
            ("cut where stones that are cut off have to live alone", "切れるところは切り、相手の石を分断する")
        }
        PrincipleKind::DecidesFirst => {
            ("where the next move decides, play first", "次の一手で決まるところは先に打つ")
        }
        PrincipleKind::SamePoint => ("your opponent's best point is yours, too", "敵の急所は我が急所"),
        PrincipleKind::AnsweredFirst => {
            ("play first what has to be answered", "相手が受けなければならない手は先に打つ")
        }
        PrincipleKind::PushFromBehind => ("do not push along from behind", "車の後押しはしない"),
        PrincipleKind::LeaveExchange => {
            ("leave out exchanges that help your opponent more", "相手の得になる交換はしない")
        }
        PrincipleKind::ConnectFirst => ("connected stones live together", "つながった石は強い"),
    }
}

/// Is it only a threat to stones of which the reason says that they are killed?
fn threatens_killed(does: &Reason, reason: &CarryingReason) -> bool {
    let is_killed = reason.kind == MatterKind::KillsStones && reason.is_sure[0];
    is_killed && does.rule.name == "threaten" && does.about.is_some_and(|stone| reason.stones.contains(stone))
}

/// Is the territory of a gain, or a part of it, that which the cost has told as the other side's? It would be told as both sides' then.
fn is_named_otherwise(cost: &CarryingReason, gain: &CarryingReason) -> bool {
    is_same_territory(cost, gain) && cost.owner() != gain.owner()
}

/// Are both about one territory, or parts of it?
fn is_same_territory(one: &CarryingReason, other: &CarryingReason) -> bool {
    let are_territory = [one, other].iter().all(|told| !told.kind.is_about_stones());
    are_territory && !one.area.points.intersection(&other.area.points).is_empty()
}

/// A gain with the name that the cost has given to the same territory: the middles of two areas differ by a point or two.
fn with_name_of(gain: &CarryingReason, cost: &CarryingReason) -> CarryingReason {
    match is_same_territory(gain, cost) {
        true => CarryingReason { place: cost.place, middle: cost.middle, ..*gain },
        false => *gain,
    }
}

/// Two stones that do not touch each other; none if there are others, or not two.
fn two_apart(stones: &PointSet) -> Option<[Point; 2]> {
    let mut points = stones.iter();
    let (one, other) = (points.next()?, points.next()?);
    let touch = PointSet::from_point(one).with_neighbours().contains(other);
    (points.next().is_none() && !touch).then_some([one, other])
}

/// Does a reason say what a matter does to the very stones that it is about?
fn says_outcome(does: &Reason, reason: &CarryingReason) -> bool {
    says_matter(does, reason) || threatens_weak(does, reason) || takes_killed(does, reason)
}

/// Does a reason save own stones by taking the one of which a matter says that it dies?
fn takes_killed(does: &Reason, reason: &CarryingReason) -> bool {
    reason.kind == MatterKind::KillsStones
        && reason.stones.len() == 1
        && does.rule.name == "save-by-capture"
        && does.other.is_some_and(|stone| reason.stones.contains(stone))
}

/// Does a reason put the very stones into atari, or threaten to catch them, of which a matter says that they become weak, or are in danger?
fn threatens_weak(does: &Reason, reason: &CarryingReason) -> bool {
    let is_in_danger = reason.kind == MatterKind::KillsStones && !reason.is_sure[0];
    (is_in_danger || reason.kind == MatterKind::Weakens)
        && matches!(does.rule.name, "atari" | "threaten")
        && does.count == reason.stones.len()
        && does.about.is_some_and(|stone| reason.stones.contains(stone))
}

/// Does a reason say what becomes of the very stones that a matter is about, of half of them at least?
fn says_matter(does: &Reason, reason: &CarryingReason) -> bool {
    let is_most = 2 * does.count.max(1) >= reason.stones.len();
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
    is_most
        && of_fate
        && reason.kind.is_about_stones()
        && does.about.is_some_and(|stone| reason.stones.contains(stone))
}
