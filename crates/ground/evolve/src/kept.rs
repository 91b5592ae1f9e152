//! States as text to be kept: in an envelope that has a version and a checksum. How a state becomes a text (such as JSON) is the caller's matter.
//! An envelope of JSON is JSON, too.

use ishi_rng::checksum::{NO_CHECKSUM, check_sealed_text, seal_text};

use crate::EvolveError;

/// What stands before the checksum, the version among it.
const HEAD: &str = "{\"format\":\"ishi-evolution-state 1\",\"checksum\":\"";
/// What stands between the checksum and the state.
const MIDDLE: &str = "\",\"state\":";
/// What stands behind the state.
const END: &str = "}";

/// The state with version and checksum.
///
/// ```
/// use ishi_evolve::kept::{open_state_text, seal_state_text};
/// let text = seal_state_text("[1,2]");
/// assert!(text.starts_with("{\"format\":\"ishi-evolution-state 1\",\"checksum\":\""));
/// assert_eq!(open_state_text(&text), Ok("[1,2]"));
/// assert!(open_state_text(&text.replace("[1,", "[3,")).is_err());
/// ```
pub fn seal_state_text(state: &str) -> String {
    seal_text(&format!("{HEAD}{NO_CHECKSUM}{MIDDLE}{state}{END}"), HEAD)
}

/// The state in a text that [`seal_state_text`] made.
///
/// # Errors
/// If the text is of another version, or damaged, with the place.
pub fn open_state_text(text: &str) -> Result<&str, EvolveError> {
    if !text.starts_with(HEAD) {
        return Err(EvolveError::Kept(format!(
            "byte 0: it must begin with {HEAD}: it is damaged, or of another version, and the run must be begun again"
        )));
    }
    check_sealed_text(text, HEAD).map_err(|error| EvolveError::Kept(error.to_string()))?;
    let behind = text.get(HEAD.len() + NO_CHECKSUM.len()..).unwrap_or_default();
    let state = behind.strip_prefix(MIDDLE).and_then(|state| state.strip_suffix(END));
    state.ok_or_else(|| {
        EvolveError::Kept(format!("{MIDDLE} must stand behind its checksum, and {END} at its end"))
    })
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::{set_back_version, try_damaged_copies};

    use super::*;

    const STATE: &str = "{\"generation\":4,\"population\":[{\"point\":[\"3ff8000000000000\"],\"value\":\"0\"}],\"best\":null}";

    #[test]
    fn damaged_states_are_refused() {
        let text = seal_state_text(STATE);
        assert_eq!(open_state_text(&text), Ok(STATE));
        try_damaged_copies(text.as_bytes(), Seed::new(1), 2000, |what, damaged| {
            let taken = std::str::from_utf8(damaged).is_ok_and(|text| open_state_text(text).is_ok());
            assert!(!taken, "{what}");
        });
    }

    #[test]
    fn other_versions_and_states_without_one_are_refused_with_what_must_stand_there() {
        let older = set_back_version(seal_state_text(STATE).as_bytes()).unwrap();
        for text in [std::str::from_utf8(&older).unwrap(), STATE, "", "{}"] {
            let error = open_state_text(text).unwrap_err().to_string();
            assert!(
                error.contains("byte 0: it must begin with {\"format\":\"ishi-evolution-state 1\""),
                "{error}"
            );
        }
        let other = seal_text(&format!("{HEAD}{NO_CHECKSUM}\",\"else\":1}}"), HEAD);
        let error = open_state_text(&other).unwrap_err().to_string();
        assert!(error.contains("must stand behind its checksum"), "{error}");
    }
}
