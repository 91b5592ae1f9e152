//! Rules field by field, with KataGo's names (its docs/GTP_Extensions.md, `kata-get-rules`).

use ishi_go::{Compensation, KoRule, Rules, Scoring};

/// KataGo's view of rules: those of ours, and two fields that ours only have in fixed combinations.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleFields {
    rules: Rules,
    tax: Option<String>,
}

impl RuleFields {
    /// Starts from these rules.
    pub fn from_rules(rules: Rules) -> RuleFields {
        RuleFields { rules, tax: None }
    }

    /// Sets a field from its text, words in any case.
    ///
    /// # Errors
    /// If there is no such field, or it cannot have this value.
    pub fn set_field(&mut self, field: &str, value: &str) -> Result<(), String> {
        let upper = value.to_ascii_uppercase();
        match (field, upper.as_str()) {
            ("ko", "SIMPLE") => self.rules.ko = KoRule::Simple,
            ("ko", "POSITIONAL") => self.rules.ko = KoRule::Positional,
            ("ko", "SITUATIONAL") => self.rules.ko = KoRule::Situational,
            ("scoring", "AREA") => self.rules.scoring = Scoring::Area,
            ("scoring", "TERRITORY") => self.rules.scoring = Scoring::Territory,
            ("suicide", "TRUE") => self.rules.suicide = true,
            ("suicide", "FALSE") => self.rules.suicide = false,
            ("whiteHandicapBonus", "0") => self.rules.compensation = Compensation::None,
            ("whiteHandicapBonus", "N") => self.rules.compensation = Compensation::PerStone,
            ("whiteHandicapBonus", "N-1") => self.rules.compensation = Compensation::PerStoneButOne,
            ("tax", "NONE" | "SEKI") => self.tax = Some(upper),
            ("hasButton" | "friendlyPassOk", "FALSE") => {}
            ("ko", _) => return Err(unsupported_value(field, value, "SIMPLE, POSITIONAL or SITUATIONAL")),
            ("scoring", _) => return Err(unsupported_value(field, value, "AREA or TERRITORY")),
            ("suicide", _) => return Err(unsupported_value(field, value, "true or false")),
            ("whiteHandicapBonus", _) => return Err(unsupported_value(field, value, "0, N or N-1")),
            ("tax", _) => {
                return Err(unsupported_value(
                    field,
                    value,
                    "NONE with area scoring, SEKI with territory scoring",
                ));
            }
            ("hasButton" | "friendlyPassOk", _) => return Err(unsupported_value(field, value, "false")),
            _ => return Err(unknown_field(field)),
        }
        Ok(())
    }

    /// The rules, with what KataGo does not know of taken from a preset of the same fields if there is one.
    ///
    /// # Errors
    /// If the tax does not fit the scoring.
    pub fn to_rules(self) -> Result<Rules, String> {
        let fitting = fitting_tax(&self.rules);
        if let Some(tax) = self.tax.filter(|tax| tax != fitting) {
            return Err(format!("tax {tax} is not supported with this scoring: it goes with {fitting}"));
        }
        let same = |&(_, preset): &(&str, Rules)| rules_to_json(&preset) == rules_to_json(&self.rules);
        Ok(Rules::NAMED.into_iter().find(same).map_or(self.rules, |(_, preset)| preset))
    }
}

fn unsupported_value(field: &str, value: &str, right: &str) -> String {
    format!("{field} {value:?} is not supported: it can be {right}")
}

fn unknown_field(field: &str) -> String {
    let fields = "ko, scoring, tax, suicide, hasButton, whiteHandicapBonus, friendlyPassOk";
    format!("no rule {field:?}: there are {fields}")
}

fn fitting_tax(rules: &Rules) -> &'static str {
    match rules.scoring {
        Scoring::Area => "NONE",
        Scoring::Territory => "SEKI",
    }
}

/// The fields as KataGo writes them, on one line.
pub fn rules_to_json(rules: &Rules) -> String {
    let ko = match rules.ko {
        KoRule::Simple => "SIMPLE",
        KoRule::Positional => "POSITIONAL",
        KoRule::Situational => "SITUATIONAL",
    };
    let scoring = match rules.scoring {
        Scoring::Area => "AREA",
        Scoring::Territory => "TERRITORY",
    };
    let bonus = match rules.compensation {
        Compensation::None => "0",
        Compensation::PerStone => "N",
        Compensation::PerStoneButOne => "N-1",
    };
    let (suicide, tax) = (rules.suicide, fitting_tax(rules));
    format!(
        "{{\"friendlyPassOk\":false,\"hasButton\":false,\"ko\":\"{ko}\",\"scoring\":\"{scoring}\",\
         \"suicide\":{suicide},\"tax\":\"{tax}\",\"whiteHandicapBonus\":\"{bonus}\"}}"
    )
}
