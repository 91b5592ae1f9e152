//! A text with its changes, to be undone and done again: what editors keep in their documents.

use serde::{Deserialize, Serialize};

/// Changes that are remembered, at most.
const MOST: usize = 200;
/// Bytes of all that is remembered, at most; the oldest changes are forgotten first.
const MOST_BYTES: usize = 1 << 20;

/// One piece of the text became another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TextChange {
    /// The byte it begins with.
    at: usize,
    old: String,
    new: String,
}

impl TextChange {
    /// From one text to another; `None` if they are the same.
    fn between(old: &str, new: &str) -> Option<TextChange> {
        if old == new {
            return None;
        }
        let same = |a: char, b: char| if a == b { Some(a.len_utf8()) } else { None };
        let front: usize = old.chars().zip(new.chars()).map_while(|(a, b)| same(a, b)).sum();
        let (old_rest, new_rest) = (&old[front..], &new[front..]);
        let back: usize =
            old_rest.chars().rev().zip(new_rest.chars().rev()).map_while(|(a, b)| same(a, b)).sum();
        let part = |rest: &str| rest[..rest.len() - back].to_string();
        Some(TextChange { at: front, old: part(old_rest), new: part(new_rest) })
    }

    fn byte_count(&self) -> usize {
        self.old.len() + self.new.len()
    }

    fn reversed(&self) -> TextChange {
        TextChange { at: self.at, old: self.new.clone(), new: self.old.clone() }
    }

    /// The text after the change; `None` if it does not fit there.
    fn apply_to(&self, text: &str) -> Option<String> {
        let rest = text.get(self.at..)?.strip_prefix(self.old.as_str())?;
        Some(format!("{}{}{rest}", text.get(..self.at)?, self.new))
    }
}

/// A text with its changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    text: String,
    undo: Vec<TextChange>,
    redo: Vec<TextChange>,
}

impl History {
    pub(crate) fn new(text: impl Into<String>) -> History {
        History { text: text.into(), ..History::default() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text becomes another; what was undone cannot be done again then. Says whether it is another.
    pub(crate) fn set_text(&mut self, text: String) -> bool {
        let Some(change) = TextChange::between(&self.text, &text) else { return false };
        self.text = text;
        self.undo.push(change);
        self.redo.clear();
        while self.undo.len() > MOST
            || self.undo.len() > 1 && self.undo.iter().map(TextChange::byte_count).sum::<usize>() > MOST_BYTES
        {
            self.undo.remove(0);
        }
        true
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Takes the last change back; false if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let Some(change) = self.undo.pop() else { return false };
        let Some(text) = change.reversed().apply_to(&self.text) else { return false };
        self.text = text;
        self.redo.push(change);
        true
    }

    /// Does again what was taken back last; false if there is nothing.
    pub(crate) fn redo(&mut self) -> bool {
        let Some(change) = self.redo.pop() else { return false };
        let Some(text) = change.apply_to(&self.text) else { return false };
        self.text = text;
        self.undo.push(change);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_go_back_and_forth() {
        let texts = ["", "石 one", "石 two", "碁 two", "碁", "碁碁", "碁"];
        let mut history = History::new(texts[0]);
        for text in &texts[1..] {
            assert!(history.set_text((*text).to_string()));
        }
        assert!(!history.set_text("碁".to_string()), "nothing has changed");
        for text in texts.iter().rev().skip(1) {
            assert!(history.undo());
            assert_eq!(history.text(), *text);
        }
        assert!(!history.undo() && !history.can_undo());
        for text in &texts[1..] {
            assert!(history.redo());
            assert_eq!(history.text(), *text);
        }
        assert!(!history.redo());
        history.undo();
        history.set_text("other".to_string());
        assert!(!history.can_redo());
    }

    #[test]
    fn what_is_remembered_has_bounds() {
        let mut history = History::new("");
        for number in 0..3 * MOST {
            history.set_text(number.to_string());
        }
        assert_eq!(history.undo.len(), MOST);
        for letter in ["a", "b", "c"] {
            history.set_text(letter.repeat(MOST_BYTES / 2));
        }
        assert!(history.undo.iter().map(TextChange::byte_count).sum::<usize>() <= MOST_BYTES);
        assert!(history.can_undo());
    }
}
