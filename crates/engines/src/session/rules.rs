//! Rules by name and field by field, as KGS and KataGo have it.
//!
//! KataGo writes rules as a flat JSON dictionary; that dictionary, of names, words and truth values, is all of JSON
//! that is read here.

use ishi_go::{Compensation, KoRule, Rules, Scoring};

use super::{Answered, Call, Refusal, Session};

impl Session {
    pub(super) fn kgs_rules(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let rules = call.args.word("NAME")?.parse()?;
        call.args.end()?;
        self.position.set_rules(rules);
        Ok(String::new())
    }

    pub(super) fn kata_set_rules(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.word("NAME|JSON")?;
        let text = call.args.rest();
        let rules =
            if text.starts_with('{') { from_json(text, *self.position.rules())? } else { text.parse()? };
        self.position.set_rules(rules);
        Ok(String::new())
    }

    pub(super) fn kata_set_rule(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let (field, value) = (call.args.word("FIELD")?, call.args.word("VALUE")?);
        call.args.end()?;
        let mut fields = Fields::of(*self.position.rules());
        fields.set(field, value)?;
        self.position.set_rules(fields.rules()?);
        Ok(String::new())
    }

    pub(super) fn kata_get_rules(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        Ok(to_json(self.position.rules()))
    }
}

/// KataGo's view of rules: those of ours, and two fields that ours only have in fixed combinations.
struct Fields {
    rules: Rules,
    tax: Option<String>,
}

impl Fields {
    fn of(rules: Rules) -> Fields {
        Fields { rules, tax: None }
    }

    fn set(&mut self, field: &str, value: &str) -> Result<(), Refusal> {
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
            ("ko", _) => return Err(wrong(field, value, "SIMPLE, POSITIONAL or SITUATIONAL")),
            ("scoring", _) => return Err(wrong(field, value, "AREA or TERRITORY")),
            ("suicide", _) => return Err(wrong(field, value, "true or false")),
            ("whiteHandicapBonus", _) => return Err(wrong(field, value, "0, N or N-1")),
            ("tax", _) => {
                return Err(wrong(field, value, "NONE with area scoring, SEKI with territory scoring"));
            }
            ("hasButton" | "friendlyPassOk", _) => return Err(wrong(field, value, "false")),
            _ => return Err(unknown(field)),
        }
        Ok(())
    }

    /// The rules, with what KataGo does not know of taken from a preset of the same fields if there is one.
    fn rules(self) -> Result<Rules, Refusal> {
        let fitting = tax(&self.rules);
        if let Some(tax) = self.tax.filter(|tax| tax != fitting) {
            return Err(
                format!("tax {tax} is not supported with this scoring: it goes with {fitting}").into()
            );
        }
        let same = |&(_, preset): &(&str, Rules)| to_json(&preset) == to_json(&self.rules);
        Ok(Rules::NAMED.into_iter().find(same).map_or(self.rules, |(_, preset)| preset))
    }
}

fn wrong(field: &str, value: &str, right: &str) -> Refusal {
    format!("{field} {value:?} is not supported: it can be {right}").into()
}

fn unknown(field: &str) -> Refusal {
    let fields = "ko, scoring, tax, suicide, hasButton, whiteHandicapBonus, friendlyPassOk";
    format!("no rule {field:?}: there are {fields}").into()
}

fn tax(rules: &Rules) -> &'static str {
    match rules.scoring {
        Scoring::Area => "NONE",
        Scoring::Territory => "SEKI",
    }
}

fn to_json(rules: &Rules) -> String {
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
    let (suicide, tax) = (rules.suicide, tax(rules));
    format!(
        "{{\"friendlyPassOk\":false,\"hasButton\":false,\"ko\":\"{ko}\",\"scoring\":\"{scoring}\",\
         \"suicide\":{suicide},\"tax\":\"{tax}\",\"whiteHandicapBonus\":\"{bonus}\"}}"
    )
}

/// Reads a dictionary; fields that are not named stay as they are.
fn from_json(text: &str, rules: Rules) -> Result<Rules, Refusal> {
    let malformed =
        || Refusal(format!("invalid rules {text:?}: write a dictionary such as {}", to_json(&rules)));
    let inside =
        text.strip_prefix('{').and_then(|text| text.trim_end().strip_suffix('}')).ok_or_else(malformed)?;
    let mut fields = Fields::of(rules);
    for pair in inside.split(',').filter(|_| !inside.trim().is_empty()) {
        let (field, value) = pair.split_once(':').ok_or_else(malformed)?;
        let field = unquoted(field).filter(|field| field.1).ok_or_else(malformed)?.0;
        fields.set(field, unquoted(value).ok_or_else(malformed)?.0)?;
    }
    fields.rules()
}

/// A word without its quotes, and whether it had them; `None` if the quotes do not fit.
fn unquoted(text: &str) -> Option<(&str, bool)> {
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let word = inner.unwrap_or(text);
    (!word.contains('"') && !word.is_empty()).then_some((word, inner.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_survive_json() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(from_json(&to_json(&rules), Rules::JAPANESE), Ok(rules), "{name}");
        }
    }

    #[test]
    fn a_dictionary_may_have_spaces_and_few_fields() {
        let rules = from_json("{ \"suicide\" : true , \"ko\":\"simple\" }", Rules::CHINESE).unwrap();
        assert_eq!((rules.suicide, rules.ko), (true, KoRule::Simple));
        assert_eq!(from_json("{}", Rules::AGA), Ok(Rules::AGA));
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |text: &str| from_json(text, Rules::CHINESE).unwrap_err().0;
        assert!(error("{\"ko\"}").contains("write a dictionary such as {\"friendlyPassOk\""));
        assert!(error("{ko:\"SIMPLE\"}").contains("write a dictionary"));
        assert!(error("{\"ko\":\"SUPER\"}").contains("it can be SIMPLE, POSITIONAL or SITUATIONAL"));
        assert!(error("{\"hasButton\":true}").contains("it can be false"));
        assert!(error("{\"tax\":\"SEKI\"}").contains("it goes with NONE"));
        assert!(error("{\"komi\":7}").contains("no rule \"komi\""));
    }
}
