//! Why a move: data, which [`crate::words`] puts into words.

use ishi_go::{Color, Point};
use ishi_patterns::library::BilingualWords;

use crate::rules::Rule;
use crate::words;
use ishi_words::Language;

/// What a rule is about; after the list of Fotland (1993).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleFamily {
    /// Stones that are taken, or cannot get away.
    Capture,
    /// Own stones in danger.
    Save,
    /// Own stones that become one group.
    Connect,
    /// Enemy stones that are kept apart.
    Cut,
    /// Life and death.
    Life,
    /// Races to capture.
    Race,
    /// Attacks on weak groups, and their surrounding.
    Attack,
    /// Weak groups that run, or find a base.
    Run,
    /// Empty corners, enclosures, approaches.
    Corner,
    /// Joseki.
    Joseki,
    /// Extensions and big points on the sides.
    Side,
    /// Invasions.
    Invade,
    /// Reductions of moyos, and their growth.
    Moyo,
    /// Good shape, and contact fights.
    Shape,
    /// Patterns of the database.
    Pattern,
    /// Borders and endgame.
    Endgame,
    /// Ko fights and their threats.
    Ko,
    /// What the state of the game asks for.
    Strategy,
}

impl RuleFamily {
    /// All families, in their order.
    pub const ALL: [RuleFamily; 18] = [
        RuleFamily::Capture,
        RuleFamily::Save,
        RuleFamily::Connect,
        RuleFamily::Cut,
        RuleFamily::Life,
        RuleFamily::Race,
        RuleFamily::Attack,
        RuleFamily::Run,
        RuleFamily::Corner,
        RuleFamily::Joseki,
        RuleFamily::Side,
        RuleFamily::Invade,
        RuleFamily::Moyo,
        RuleFamily::Shape,
        RuleFamily::Pattern,
        RuleFamily::Endgame,
        RuleFamily::Ko,
        RuleFamily::Strategy,
    ];

    /// Its name in JSON and in lists.
    pub fn name(self) -> &'static str {
        match self {
            RuleFamily::Capture => "capture",
            RuleFamily::Save => "save",
            RuleFamily::Connect => "connect",
            RuleFamily::Cut => "cut",
            RuleFamily::Life => "life",
            RuleFamily::Race => "race",
            RuleFamily::Attack => "attack",
            RuleFamily::Run => "run",
            RuleFamily::Corner => "corner",
            RuleFamily::Joseki => "joseki",
            RuleFamily::Side => "side",
            RuleFamily::Invade => "invade",
            RuleFamily::Moyo => "moyo",
            RuleFamily::Shape => "shape",
            RuleFamily::Pattern => "pattern",
            RuleFamily::Endgame => "endgame",
            RuleFamily::Ko => "ko",
            RuleFamily::Strategy => "strategy",
        }
    }
}

/// Why a move is suggested, or what it does.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The rule that says so.
    pub rule: &'static Rule,
    /// What it is worth, in points.
    pub value: f64,
    /// The stone, or the point, that it is about.
    pub about: Option<Point>,
    /// A second one, as for connections.
    pub other: Option<Point>,
    /// How many stones (or points, where the rule speaks of them) it is about.
    pub count: usize,
    /// How it goes on, where that was read, or a pattern says so; this move first.
    pub sequence: Vec<(Color, Point)>,
    /// Other ways in which it may go on, where joseki or a pattern know some and the style unfolds them; this move first.
    pub variations: Vec<Vec<(Color, Point)>>,
    /// Do joseki or a pattern say that the move cannot wait?
    pub is_urgent: bool,
    /// The pattern of the database that says so.
    pub pattern: Option<KnownPattern>,
}

/// What the pattern database says of a move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct KnownPattern {
    /// The pattern's name.
    pub name: String,
    /// What the pattern as a whole is called in words; empty for patterns that were mined. No document has them.
    #[serde(skip)]
    pub title: BilingualWords,
    /// How often it was seen near a move of strong players; 0 if nobody counted.
    pub seen: u32,
    /// How often the move was played there.
    pub played: u32,
    /// How often its player won.
    pub won: u32,
    /// What the database says in words; empty for patterns that were mined. No document has them beside the reason's own.
    #[serde(skip)]
    pub words: BilingualWords,
}

impl KnownPattern {
    /// How often its player won, in whole per cent.
    pub fn won_percent(&self) -> u32 {
        (100.0 * f64::from(self.won) / f64::from(self.played.max(1))).round() as u32
    }
}

/// Reasons of no more value only name a move.
pub(crate) const NAME_ONLY: f64 = 1.0;

impl Reason {
    /// Do both say that the same becomes of the same stones, in whatever way?
    pub fn does_the_same(&self, other: &Reason) -> bool {
        let kind = |reason: &Reason| match reason.rule.name {
            "take-stone" | "take-stones" | "take-ko" | "capture" | "capture-by-ko" | "ladder" | "net" => {
                "capture"
            }
            "save" | "save-by-capture" | "save-by-ko" | "extend-from-atari" => "save",
            name => name,
        };
        kind(self) == kind(other)
            && self.about == other.about
            && (kind(self) == "save" || self.other == other.other)
    }

    /// Is it true of so many moves that it is told only where nothing else is known?
    pub fn is_filler(&self) -> bool {
        self.rule.name == "endgame-point"
    }

    /// Does it only name how the move stands to a stone?
    fn is_name(&self) -> bool {
        self.rule.family == RuleFamily::Shape && self.rule.value <= NAME_ONLY
    }

    /// Does another one of the same move say all that it says?
    fn is_said_by(&self, other: &Reason) -> bool {
        if self.is_name() && !other.is_name() && self.about.is_some() && self.about == other.about {
            return true;
        }
        let is_saved_by_life = other.rule.name == "live" && self.rule.family == RuleFamily::Save;
        if is_saved_by_life {
            return self.about == other.about && self.count == other.count;
        }
        has_words_of(
            &words::describe_reason(other, Language::English),
            &words::describe_reason(self, Language::English),
        )
    }

    /// A reason that is about nothing else, with the rule's own value.
    pub(crate) fn for_rule(rule: &'static Rule) -> Reason {
        Reason {
            rule,
            value: rule.value,
            about: None,
            other: None,
            count: 0,
            sequence: Vec::new(),
            variations: Vec::new(),
            is_urgent: false,
            pattern: None,
        }
    }

    pub(crate) fn about_stone(self, point: Point) -> Reason {
        Reason { about: Some(point), ..self }
    }

    pub(crate) fn with_other_stone(self, point: Point) -> Reason {
        Reason { other: Some(point), ..self }
    }

    pub(crate) fn with_count(self, count: usize) -> Reason {
        Reason { count, ..self }
    }

    /// Adds to the rule's own value.
    pub(crate) fn with_added_value(self, value: f64) -> Reason {
        Reason { value: self.value + value, ..self }
    }

    pub(crate) fn with_sequence(self, sequence: Vec<(Color, Point)>) -> Reason {
        Reason { sequence, ..self }
    }
}

/// Do all words of the shorter sentence stand in the longer one, in the same order? "Attaches to C3" says no more than "attaches to C3 on
/// the second line".
fn has_words_of(longer: &str, shorter: &str) -> bool {
    fn words_without_punctuation(text: &str) -> impl Iterator<Item = &str> {
        text.split_whitespace().map(|word| word.trim_matches([',', ';', ':', '.']))
    }
    let mut rest = words_without_punctuation(longer);
    words_without_punctuation(shorter).all(|word| rest.any(|other| other == word))
}

/// Those of a move's reasons that are to be told beside others that are told anyway: none of which another says all, and what is true of
/// many moves only if there is nothing else.
pub(crate) fn reasons_to_tell<'a>(
    reasons: impl IntoIterator<Item = &'a Reason>,
    beside: impl IntoIterator<Item = &'a Reason>,
) -> Vec<&'a Reason> {
    let (reasons, beside): (Vec<&Reason>, Vec<&Reason>) =
        (reasons.into_iter().collect(), beside.into_iter().collect());
    let has_others = !beside.is_empty() || reasons.iter().any(|reason| !reason.is_filler());
    let is_told = |&(n, reason): &(usize, &&Reason)| {
        // Of sentences that say the same the first is told.
        let is_said = |(m, other): (usize, &&Reason)| {
            m != n && reason.is_said_by(other) && (m < n || !other.is_said_by(reason))
        };
        (!has_others || !reason.is_filler())
            && !beside.iter().any(|other| reason.is_said_by(other))
            && !reasons.iter().enumerate().any(is_said)
    };
    reasons.iter().enumerate().filter(is_told).map(|(_, reason)| *reason).collect()
}

impl PartialEq for Reason {
    fn eq(&self, other: &Reason) -> bool {
        let key = |reason: &Reason| (reason.rule.name, reason.about, reason.other, reason.count);
        key(self) == key(other) && self.sequence == other.sequence && self.pattern == other.pattern
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rule_named;

    fn point(column: usize, row: usize) -> Point {
        Point::new(column, row)
    }

    fn told(reasons: &[Reason], beside: &[Reason]) -> Vec<&'static str> {
        reasons_to_tell(reasons, beside).into_iter().map(|reason| reason.rule.name).collect()
    }

    #[test]
    fn the_fuller_sentence_about_the_same_stone_is_told() {
        let about = |name, at| Reason::for_rule(rule_named(name)).about_stone(at);
        let (here, there) = (point(2, 2), point(5, 5));
        assert_eq!(told(&[about("attach", here), about("attach-under", here)], &[]), ["attach-under"]);
        assert_eq!(told(&[about("third-line-hane", here), about("hane", here)], &[]), ["third-line-hane"]);
        assert_eq!(told(&[about("attach", here), about("attach-under", there)], &[]).len(), 2);
        assert_eq!(told(&[about("touch", here), about("bend-second", here)], &[]), ["bend-second"]);
        assert_eq!(told(&[about("one-point-jump", here), about("jump-step", here)], &[]), ["one-point-jump"]);
    }

    #[test]
    fn stones_that_live_need_not_be_saved_too() {
        let about =
            |name, count| Reason::for_rule(rule_named(name)).about_stone(point(2, 2)).with_count(count);
        assert_eq!(told(&[about("live", 5), about("save", 5)], &[]), ["live"]);
        assert_eq!(told(&[about("save", 5)], &[about("live", 7)]), ["save"], "other stones");
    }

    #[test]
    fn what_is_true_of_many_moves_is_told_alone_only() {
        let border = Reason::for_rule(rule_named("endgame-point")).with_count(4);
        let jump = Reason::for_rule(rule_named("one-point-jump")).about_stone(point(2, 2));
        assert_eq!(told(&[border.clone(), jump.clone()], &[]), ["one-point-jump"]);
        assert_eq!(told(std::slice::from_ref(&border), std::slice::from_ref(&jump)), [""; 0]);
        assert_eq!(told(&[border], &[]), ["endgame-point"]);
    }
}
