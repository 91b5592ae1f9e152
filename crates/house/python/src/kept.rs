//! Games, their states, players and runs of optimisers as texts, from which they are made again elsewhere: JSON in an envelope that has a version and a checksum. A
//! damaged text is refused. docs/formats.md describes them.

use ishi_rng::checksum::{NO_CHECKSUM, check_sealed_text, seal_text};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands between the checksum and the content.
const MIDDLE: &str = "\",\"content\":";
/// What stands behind the content.
const END: &str = "}";

/// What a text keeps.
pub(crate) struct KeptText {
    /// As the text says it, with a version that goes up when the content has other fields.
    format: &'static str,
    /// As errors say it.
    content: &'static str,
}

pub(crate) const GO_GAME: KeptText = KeptText { format: "ishi-go-game 1", content: "game of Go" };
pub(crate) const GO_STATE: KeptText = KeptText { format: "ishi-go-state 1", content: "state of Go" };
pub(crate) const OTHELLO_STATE: KeptText =
    KeptText { format: "ishi-othello-state 1", content: "state of Othello" };
pub(crate) const GO_ENGINE: KeptText = KeptText { format: "ishi-go-engine 1", content: "player of Go" };
pub(crate) const OTHELLO_ENGINE: KeptText =
    KeptText { format: "ishi-othello-engine 1", content: "player of Othello" };

pub(crate) const EVOLUTION_RUN: KeptText =
    KeptText { format: "ishi-differential-evolution 1", content: "run of differential evolution" };
pub(crate) const CMA_RUN: KeptText = KeptText { format: "ishi-cma-es 1", content: "run of CMA-ES" };

impl KeptText {
    /// What stands before the checksum.
    fn head(&self) -> String {
        format!("{{\"format\":\"{}\",\"checksum\":\"", self.format)
    }

    /// The content as a text.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub(crate) fn seal(&self, content: &impl Serialize) -> Result<String, String> {
        let content = serde_json::to_string(content).map_err(|error| error.to_string())?;
        let head = self.head();
        Ok(seal_text(&format!("{head}{NO_CHECKSUM}{MIDDLE}{content}{END}"), &head))
    }

    /// The content of a text that [`KeptText::seal`] made.
    ///
    /// # Errors
    /// If the text is damaged, of another version, or keeps another thing.
    pub(crate) fn open<T: DeserializeOwned>(&self, text: &str) -> Result<T, String> {
        self.open_sealed(text).map_err(|why| format!("this text keeps no {}: {why}", self.content))
    }

    fn open_sealed<T: DeserializeOwned>(&self, text: &str) -> Result<T, String> {
        let head = self.head();
        if !text.starts_with(&head) {
            return Err(format!(
                "byte 0: it must begin with {head}. It is damaged, of another version, or of another thing"
            ));
        }
        check_sealed_text(text, &head).map_err(|error| error.to_string())?;
        let behind = text.get(head.len() + NO_CHECKSUM.len()..).unwrap_or_default();
        let content = behind.strip_prefix(MIDDLE).and_then(|content| content.strip_suffix(END));
        let content = content
            .ok_or_else(|| format!("{MIDDLE} must stand behind its checksum, and {END} at its end"))?;
        serde_json::from_str(content).map_err(|error| error.to_string())
    }
}
