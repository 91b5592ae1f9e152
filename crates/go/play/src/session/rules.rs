//! Rules by name and field by field, as KGS and KataGo have it.
//!
//! KataGo writes rules as a flat JSON dictionary; that dictionary, of names, words and truth values, is all of JSON
//! that is read here.

use ishi_go::Rules;

use super::{Session, SessionCall};
use crate::rule_fields::{RuleFields, rules_to_json};
use ishi_engine::session::{CommandAnswer, CommandRefusal};

impl Session {
    pub(super) fn kgs_rules(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let rules = call.args.take_word("NAME")?.parse()?;
        call.args.expect_end()?;
        self.position.set_rules(rules);
        Ok(String::new())
    }

    pub(super) fn kata_set_rules(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.take_word("NAME|JSON")?;
        let text = call.args.rest();
        let rules = if text.starts_with('{') {
            rules_from_json(text, *self.position.rules())?
        } else {
            text.parse()?
        };
        self.position.set_rules(rules);
        Ok(String::new())
    }

    pub(super) fn kata_set_rule(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let (field, value) = (call.args.take_word("FIELD")?, call.args.take_word("VALUE")?);
        call.args.expect_end()?;
        let mut fields = RuleFields::from_rules(*self.position.rules());
        fields.set_field(field, value)?;
        self.position.set_rules(fields.to_rules()?);
        Ok(String::new())
    }

    pub(super) fn kata_get_rules(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        Ok(rules_to_json(self.position.rules()))
    }
}

/// Reads a dictionary; fields that are not named stay as they are.
fn rules_from_json(text: &str, rules: Rules) -> Result<Rules, CommandRefusal> {
    let malformed = || {
        CommandRefusal(format!(
            "invalid rules {text:?}: write a dictionary such as {}",
            rules_to_json(&rules)
        ))
    };
    let inside =
        text.strip_prefix('{').and_then(|text| text.trim_end().strip_suffix('}')).ok_or_else(malformed)?;
    let mut fields = RuleFields::from_rules(rules);
    for pair in inside.split(',').filter(|_| !inside.trim().is_empty()) {
        let (field, value) = pair.split_once(':').ok_or_else(malformed)?;
        let field = unquote_word(field).filter(|field| field.1).ok_or_else(malformed)?.0;
        fields.set_field(field, unquote_word(value).ok_or_else(malformed)?.0)?;
    }
    Ok(fields.to_rules()?)
}

/// A word without its quotes, and whether it had them; `None` if the quotes do not fit.
fn unquote_word(text: &str) -> Option<(&str, bool)> {
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let word = inner.unwrap_or(text);
    (!word.contains('"') && !word.is_empty()).then_some((word, inner.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_go::KoRule;

    #[test]
    fn presets_survive_json() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(rules_from_json(&rules_to_json(&rules), Rules::JAPANESE), Ok(rules), "{name}");
        }
    }

    #[test]
    fn a_dictionary_may_have_spaces_and_few_fields() {
        let rules = rules_from_json("{ \"suicide\" : true , \"ko\":\"simple\" }", Rules::CHINESE).unwrap();
        assert_eq!((rules.suicide, rules.ko), (true, KoRule::Simple));
        assert_eq!(rules_from_json("{}", Rules::AGA), Ok(Rules::AGA));
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |text: &str| rules_from_json(text, Rules::CHINESE).unwrap_err().0;
        assert!(error("{\"ko\"}").contains("write a dictionary such as {\"friendlyPassOk\""));
        assert!(error("{ko:\"SIMPLE\"}").contains("write a dictionary"));
        assert!(error("{\"ko\":\"SUPER\"}").contains("it can be SIMPLE, POSITIONAL or SITUATIONAL"));
        assert!(error("{\"hasButton\":true}").contains("it can be false"));
        assert!(error("{\"tax\":\"SEKI\"}").contains("it goes with NONE"));
        assert!(error("{\"komi\":7}").contains("no rule \"komi\""));
    }
}
