//! Rules by name or field by field. What our rules do not have is replaced by the nearest that they have, with a warning, as
//! KataGo does where a network knows less than its rules.

use ishi_go::{Compensation, KoRule, Rules, Scoring};
use ishi_go_play::rule_fields::RuleFields;
use serde_json::{Map, Value};

use super::fields::quote_value;

/// Rules, and a warning if they are not quite those that were asked for.
pub(super) type RulesWithWarning = (Rules, Option<String>);

/// Reads the field `rules`.
pub(super) fn read_rules(value: &Value) -> Result<RulesWithWarning, String> {
    match value {
        Value::String(name) => rules_by_name(name),
        Value::Object(fields) => rules_by_fields(fields),
        other => Err(format!(
            "{} are no rules: write a name such as \"chinese\", or an object",
            quote_value(other)
        )),
    }
}

/// Area scoring in which each group pays two points: nearest without.
const STONES: Rules =
    Rules { ko: KoRule::Simple, suicide: false, compensation: Compensation::None, ..Rules::CHINESE };

fn rules_by_name(name: &str) -> Result<RulesWithWarning, String> {
    let words: String = name.to_ascii_lowercase().chars().filter(|c| !"-_ ".contains(*c)).collect();
    let taxed = "no tax on groups: counted without it";
    let (rules, warning) = match words.as_str() {
        "french" => (Rules::AGA, None),
        "goe" | "ing" => (Rules::TROMP_TAYLOR, None),
        "agabutton" => (Rules { default_komi: 7.0, ..Rules::AGA }, Some("no button: aga is used")),
        "stonescoring" | "ancientarea" => (STONES, Some(taxed)),
        "ancientterritory" => (Rules::JAPANESE, Some(taxed)),
        _ => (name.parse::<Rules>().map_err(|error| error.to_string())?, None),
    };
    Ok((rules, warning.map(|lack| format!("ishi's rules have {lack}"))))
}

/// Fields that are not named are those of Tromp-Taylor rules.
fn rules_by_fields(given: &Map<String, Value>) -> Result<RulesWithWarning, String> {
    let mut fields = RuleFields::from_rules(Rules::TROMP_TAYLOR);
    let (mut tax, mut lacks) = (None, Vec::new());
    for (name, value) in given {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            other => return Err(format!("rule {name}: {} is no value of a rule", quote_value(other))),
        };
        match (name.as_str(), text.to_ascii_uppercase().as_str()) {
            ("tax", "NONE" | "SEKI" | "ALL") => tax = Some(text.to_ascii_uppercase()),
            ("hasButton", "TRUE") => lacks.push("no button"),
            // Says when a pass is safe, not what counts.
            ("friendlyPassOk", "TRUE" | "FALSE") => {}
            ("score", _) => fields.set_field("scoring", &text)?,
            _ => fields.set_field(name, &text)?,
        }
    }
    let rules = fields.to_rules()?;
    let fitting = if rules.scoring == Scoring::Area { "NONE" } else { "SEKI" };
    if tax.is_some_and(|tax| tax != fitting) {
        lacks.push(if fitting == "NONE" {
            "no tax with area scoring"
        } else {
            "no other tax than in seki with territory scoring"
        });
    }
    let warning =
        (!lacks.is_empty()).then(|| format!("ishi's rules have {}: they are left out", lacks.join(" and ")));
    Ok((rules, warning))
}

/// Reads `whiteHandicapBonus`: 0, N or N-1.
pub(super) fn read_compensation(value: &Value) -> Result<Compensation, String> {
    match value.as_str().map_or_else(|| value.to_string(), str::to_ascii_uppercase).as_str() {
        "0" => Ok(Compensation::None),
        "N" => Ok(Compensation::PerStone),
        "N-1" => Ok(Compensation::PerStoneButOne),
        _ => Err(format!("{} is not possible: it can be 0, N or N-1", quote_value(value))),
    }
}
