//! Commands in documents, as the lines that they are (feature `serde`).

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{CommandId, GtpCommand};

/// As its digits, leading zeros and all.
impl Serialize for CommandId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CommandId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandId, D::Error> {
        let text = String::deserialize(deserializer)?;
        let error = || D::Error::custom(format!("invalid id {text:?}: an id must be a whole number"));
        CommandId::parse(&text).ok_or_else(error)
    }
}

/// As the line that a controller writes, without its newline.
///
/// ```
/// use ishi_gtp::GtpCommand;
/// let command = GtpCommand::parse(b"17 play B D4").unwrap();
/// let text = serde_json::to_string(&command).unwrap();
/// assert_eq!(text, "\"17 play B D4\"");
/// assert_eq!(serde_json::from_str::<GtpCommand>(&text).unwrap(), command);
/// ```
impl Serialize for GtpCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GtpCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GtpCommand, D::Error> {
        let text = String::deserialize(deserializer)?;
        let command = GtpCommand::parse(text.as_bytes()).filter(|_| !text.contains('\n'));
        let error = || D::Error::custom(format!("invalid command {text:?}: it must be one line with a name"));
        command.ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GtpAnswer;

    #[test]
    fn commands_and_answers_survive_writing() {
        for line in ["name", "007 loadsgf a  b.sgf 3", "17"] {
            let command = GtpCommand::parse(line.as_bytes()).unwrap();
            let text = serde_json::to_string(&command).unwrap();
            assert_eq!(serde_json::from_str::<GtpCommand>(&text).unwrap(), command);
        }
        let id = CommandId::parse("007").unwrap();
        assert_eq!(serde_json::from_str::<CommandId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        let answer = GtpAnswer::failure("unknown command");
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(text, r#"{"ok":false,"content":"unknown command"}"#);
        assert_eq!(serde_json::from_str::<GtpAnswer>(&text).unwrap(), answer);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for text in ["\"\"", "\"# a comment\"", "\"name\\nquit\""] {
            let error = serde_json::from_str::<GtpCommand>(text).unwrap_err().to_string();
            assert!(error.contains("it must be one line with a name"), "{error}");
        }
        let error = serde_json::from_str::<CommandId>("\"7a\"").unwrap_err().to_string();
        assert!(error.starts_with("invalid id \"7a\": an id must be a whole number"), "{error}");
    }
}
