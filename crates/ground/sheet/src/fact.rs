//! Facts: names and what is known of them, in a line each.

use ishi_draw::escape_prose;

use crate::markdown::escape_markdown;
use crate::width::pad_text;

/// Where values stand in text.
const VALUES_AT: usize = 21;

/// A name and what is known of it. Without a value it is a heading of the parts that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetFact {
    name: String,
    value: String,
    is_part: bool,
}

impl SheetFact {
    /// A fact that stands for itself.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> SheetFact {
        SheetFact { name: name.into(), value: value.into(), is_part: false }
    }

    /// A part of the fact before it.
    pub fn part(name: impl Into<String>, value: impl Into<String>) -> SheetFact {
        SheetFact { is_part: true, ..SheetFact::new(name, value) }
    }

    /// The same in other words.
    #[must_use]
    pub fn with_texts(&self, tell: &mut dyn FnMut(&str) -> String) -> SheetFact {
        SheetFact { name: tell(&self.name), value: tell(&self.value), is_part: self.is_part }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known; empty for a heading.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Is it a part of the fact before it?
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    /// A line for a terminal, with its end: values of all facts stand below each other.
    pub fn to_text(&self) -> String {
        let margin = if self.is_part { "  " } else { "" };
        let name = format!("{margin}{}", self.name);
        if self.value.is_empty() {
            return name + "\n";
        }
        // A name that is too long has its value one space behind it.
        format!("{} {}\n", pad_text(&name, VALUES_AT - 1, false), self.value)
    }

    /// An item of a list.
    pub(crate) fn to_markdown(&self) -> String {
        let margin = if self.is_part { "  " } else { "" };
        let name = escape_markdown(&self.name);
        match self.value.is_empty() {
            true => format!("{margin}- {name}"),
            false => format!("{margin}- {name}: {}", escape_markdown(&self.value)),
        }
    }

    /// A row of a table.
    pub(crate) fn to_html(&self) -> String {
        let class = if self.is_part { " class=\"part\"" } else { "" };
        let (name, value) = (escape_prose(&self.name), escape_prose(&self.value));
        format!("<tr><th scope=\"row\"{class}>{name}</th><td>{value}</td></tr>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_below_each_other() {
        let facts = [
            SheetFact::new("Win rate of A", "0.600"),
            SheetFact::part("95 % Wilson", "0.1 to 0.9"),
            SheetFact::new("Binomial test", ""),
            SheetFact::new("a name of more letters", "1"),
            SheetFact::new("勝率", "2"),
        ];
        let text: String = facts.iter().map(SheetFact::to_text).collect();
        let wanted = "\
Win rate of A        0.600
  95 % Wilson        0.1 to 0.9
Binomial test
a name of more letters 1
勝率                 2
";
        assert_eq!(text, wanted);
    }

    #[test]
    fn marks_are_escaped() {
        let fact = SheetFact::part("a_b", "<1");
        assert_eq!(fact.to_markdown(), "  - a\\_b: \\<1");
        assert_eq!(fact.to_html(), "<tr><th scope=\"row\" class=\"part\">a_b</th><td>&lt;1</td></tr>");
    }
}
