//! Rule sets: what decides legality, the end of a game and its score.
//!
//! [`Rules`] is a plain struct, so that any combination can be built; the presets are the rule sets that Go programs
//! know by name. Sources, per preset: the published texts named there, and where a text leaves room, the closest
//! settings as KataGo documents them (`docs/GTP_Extensions.md`, command `kata-set-rules`). `docs/match.md` compares
//! the sets in prose.

use std::fmt;
use std::str::FromStr;

use ishi_words::{CodedError, ErrorFacts, facts};

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Scoring {
    /// Own living stones and the empty points that only they surround.
    Area,
    /// Surrounded empty points and prisoners; nothing in seki.
    Territory,
}

/// Which repetitions are forbidden. The simple ko is forbidden always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum KoRule {
    /// Only the immediate retaking of a single stone that has just taken a single stone.
    Simple,
    /// A move may not bring back any earlier arrangement of stones, whoever was to move.
    Positional,
    /// A move may not bring back an earlier arrangement of stones with the same player to move.
    Situational,
}

/// What White receives for Black's handicap stones, besides komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Compensation {
    /// Nothing.
    None,
    /// One point for each stone.
    PerStone,
    /// One point for each stone but the first, which is Black's ordinary first move.
    PerStoneButOne,
}

impl Compensation {
    /// Points for White in a game with `stones` handicap stones.
    ///
    /// ```
    /// use ishi_go::Rules;
    /// assert_eq!(Rules::CHINESE.compensation.points_for(9), 9);
    /// assert_eq!(Rules::AGA.compensation.points_for(9), 8);
    /// ```
    pub fn points_for(self, stones: usize) -> usize {
        match self {
            Compensation::None => 0,
            Compensation::PerStone => stones,
            Compensation::PerStoneButOne => stones.saturating_sub(1),
        }
    }
}

/// A rule set.
///
/// ```
/// use ishi_go::{KoRule, Rules, Scoring};
/// let rules: Rules = "new_zealand".parse().unwrap();
/// assert_eq!(rules, Rules::NEW_ZEALAND);
/// assert!(rules.suicide);
/// assert_eq!(rules.to_string(), "new-zealand");
/// let own = Rules { ko: KoRule::Simple, ..Rules::CHINESE };
/// assert_eq!(own.to_string(), "custom (area scoring, simple ko, no suicide)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::documents::RulesDocument"))]
pub struct Rules {
    /// What is counted.
    pub scoring: Scoring,
    /// Which repetitions are forbidden.
    pub ko: KoRule,
    /// May a move remove its own chain? A single stone may then do so too, unless that repeats a position.
    pub suicide: bool,
    /// What White receives for handicap stones.
    pub compensation: Compensation,
    /// Points that White receives in an even game where nobody says otherwise.
    pub default_komi: f64,
    /// Consecutive passes that end the game.
    pub passes: usize,
    /// Does every pass hand the opponent a prisoner? (Counts in territory scoring only.)
    pub pass_stones: bool,
    /// Must the last pass be White's? If Black passed last, White passes once more.
    pub white_passes_last: bool,
}

impl Rules {
    /// Chinese rules (Chinese Weiqi Association 2002): area, no suicide, one point back for each handicap stone.
    /// Repetition: positional superko, as article 6 is mostly read and as KGS and OGS play; tournaments leave rare
    /// cycles to the referee (article 20), and KataGo's `chinese` has the simple ko alone.
    pub const CHINESE: Rules = Rules {
        scoring: Scoring::Area,
        ko: KoRule::Positional,
        suicide: false,
        compensation: Compensation::PerStone,
        default_komi: 7.5,
        passes: 2,
        pass_stones: false,
        white_passes_last: false,
    };

    /// Japanese rules (Nihon Ki-in 1989): territory, no suicide, simple ko; nothing in seki counts. A long cycle
    /// ends without result (article 12), which is for the players to say. Korean rules differ in none of the fields.
    pub const JAPANESE: Rules = Rules {
        scoring: Scoring::Territory,
        ko: KoRule::Simple,
        suicide: false,
        compensation: Compensation::None,
        default_komi: 6.5,
        passes: 2,
        pass_stones: false,
        white_passes_last: false,
    };

    /// Tromp-Taylor rules (Tromp and Taylor 1995): area of all stones on the board, suicide, positional superko.
    /// They name no komi; 7.5 is what servers for programs use.
    pub const TROMP_TAYLOR: Rules = Rules {
        scoring: Scoring::Area,
        ko: KoRule::Positional,
        suicide: true,
        compensation: Compensation::None,
        default_komi: 7.5,
        passes: 2,
        pass_stones: false,
        white_passes_last: false,
    };

    /// AGA rules (American Go Association 1991; komi 7.5 since): area or territory with the same result, hence pass
    /// stones and White's last pass; no suicide, situational superko (rule 6: the same player to play).
    pub const AGA: Rules = Rules {
        scoring: Scoring::Area,
        ko: KoRule::Situational,
        suicide: false,
        compensation: Compensation::PerStoneButOne,
        default_komi: 7.5,
        passes: 2,
        pass_stones: true,
        white_passes_last: true,
    };

    /// New Zealand rules (New Zealand Go Society): area, suicide, komi 7; a play may not repeat the board as it was after
    /// one of the same player's earlier moves, which is situational superko.
    pub const NEW_ZEALAND: Rules = Rules {
        scoring: Scoring::Area,
        ko: KoRule::Situational,
        suicide: true,
        compensation: Compensation::None,
        default_komi: 7.0,
        passes: 2,
        pass_stones: false,
        white_passes_last: false,
    };

    /// The presets with the names that [`fmt::Display`] prints.
    pub const NAMED: [(&'static str, Rules); 5] = [
        ("chinese", Rules::CHINESE),
        ("japanese", Rules::JAPANESE),
        ("tromp-taylor", Rules::TROMP_TAYLOR),
        ("aga", Rules::AGA),
        ("new-zealand", Rules::NEW_ZEALAND),
    ];

    /// The name of the preset that this is.
    pub fn preset_name(&self) -> Option<&'static str> {
        Rules::NAMED.iter().find(|(_, rules)| rules == self).map(|&(name, _)| name)
    }
}

/// Chinese rules, because programs are most often matched under them.
impl Default for Rules {
    fn default() -> Rules {
        Rules::CHINESE
    }
}

/// The preset's name, or the main fields of a rule set of one's own.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.preset_name() {
            return f.pad(name);
        }
        let scoring = match self.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        };
        let ko = match self.ko {
            KoRule::Simple => "simple ko",
            KoRule::Positional => "positional superko",
            KoRule::Situational => "situational superko",
        };
        let suicide = if self.suicide { "suicide" } else { "no suicide" };
        write!(f, "custom ({scoring} scoring, {ko}, {suicide})")
    }
}

/// The text named no rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError(String);

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rules {:?}: the rule sets are {}", self.0, rule_set_names())
    }
}

fn rule_set_names() -> String {
    Rules::NAMED.map(|(name, _)| name).join(", ")
}

impl std::error::Error for RulesError {}

impl CodedError for RulesError {
    fn facts(&self) -> ErrorFacts {
        facts!["go-rules", text = format!("{:?}", self.0), names = rule_set_names()]
    }
}

/// Reads the names of the presets and those that GTP clients use for them, in any case, with `-`, `_`, a space or
/// nothing between words: `kgs-rules` has `new_zealand`, KataGo has `chinese-kgs`, `chinese-ogs`, `korean`, `bga`.
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let separator = |c: char| matches!(c, '-' | '_' | ' ');
        match text.trim().replace(separator, "").to_ascii_lowercase().as_str() {
            "chinese" | "chinesekgs" | "chineseogs" | "cn" => Ok(Rules::CHINESE),
            "japanese" | "korean" | "jp" => Ok(Rules::JAPANESE),
            "tromptaylor" | "tt" => Ok(Rules::TROMP_TAYLOR),
            "aga" | "bga" => Ok(Rules::AGA),
            "newzealand" | "nz" => Ok(Rules::NEW_ZEALAND),
            _ => Err(RulesError(text.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_text() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(rules.to_string(), name);
            assert_eq!(name.parse(), Ok(rules));
            assert_eq!(name.to_uppercase().replace('-', "_").parse(), Ok(rules));
        }
    }

    #[test]
    fn aliases_of_clients_are_known() {
        let aliases = [
            ("chinese-kgs", Rules::CHINESE),
            ("chinese-ogs", Rules::CHINESE),
            ("korean", Rules::JAPANESE),
            ("bga", Rules::AGA),
            ("Tromp Taylor", Rules::TROMP_TAYLOR),
            (" NewZealand\r", Rules::NEW_ZEALAND),
        ];
        for (name, rules) in aliases {
            assert_eq!(name.parse(), Ok(rules), "{name:?}");
        }
    }

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        let error = "ing".parse::<Rules>().unwrap_err().to_string();
        let known = "chinese, japanese, tromp-taylor, aga, new-zealand";
        assert_eq!(error, format!("unknown rules \"ing\": the rule sets are {known}"));
        assert!("".parse::<Rules>().is_err());
    }

    #[test]
    fn compensation_counts_stones() {
        let points = |rules: Rules| [0, 1, 2, 9].map(|stones| rules.compensation.points_for(stones));
        assert_eq!(points(Rules::CHINESE), [0, 1, 2, 9]);
        assert_eq!(points(Rules::AGA), [0, 0, 1, 8]);
        assert_eq!(points(Rules::JAPANESE), [0; 4]);
    }
}
