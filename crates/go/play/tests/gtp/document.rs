//! The page of the commands, `list_commands` and the behaviour say the same.

use std::collections::BTreeSet;
use std::fs;

use ishi_go::BoardSize;

use crate::transcript::{Transcript, same_text};
use crate::{CHAPTER, PAGE, PLAIN, all_commands, answers, root, session};

/// A command's section.
struct Section {
    heading: String,
    text: String,
}

impl Section {
    fn name(&self) -> &str {
        self.heading.split(' ').next().unwrap()
    }

    /// The examples and whether what they show varies.
    fn examples(&self) -> Vec<(String, bool)> {
        let mut blocks = self.text.split("```gtp").skip(1);
        let example = |block: &str| {
            let (head, rest) = block.split_once('\n').unwrap();
            (rest.split("```").next().unwrap().to_string(), head.trim() == "varies")
        };
        blocks.by_ref().map(example).collect()
    }
}

fn sections() -> Vec<Section> {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let chapter = page.split("\n## ").find_map(|part| part.strip_prefix(CHAPTER)).unwrap();
    let mut sections = Vec::new();
    for part in chapter.split("\n#### `").skip(1) {
        let (heading, text) = part.split_once("`\n").unwrap();
        let text = text.split("\n### ").next().unwrap();
        sections.push(Section { heading: heading.to_string(), text: text.to_string() });
    }
    sections
}

/// Names and usages, in the same order.
#[test]
fn every_command_is_documented_and_listed() {
    let documented: Vec<String> = sections().into_iter().map(|section| section.heading).collect();
    let usage = |name: &str, usage: &str| format!("{name} {usage}").trim_end().to_string();
    let listed: Vec<String> =
        all_commands().iter().map(|command| usage(command.name, command.usage)).collect();
    assert_eq!(documented, listed);
    let (answer, _) = answers(&mut session(PLAIN), b"list_commands\n");
    let names: Vec<&str> = answer.trim_start_matches("= ").trim_end().lines().collect();
    assert_eq!(names, all_commands().iter().map(|command| command.name).collect::<Vec<_>>());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "no name twice");
}

#[test]
fn every_section_is_complete() {
    for section in sections() {
        for part in ["\n- Answer: ", "\n- Fails: "] {
            assert!(section.text.contains(part), "{}: no {part:?}", section.heading);
        }
        let examples = section.examples();
        let shown = examples.iter().any(|(example, _)| {
            let typed = Transcript::parse(example).typed;
            typed.lines().any(|line| line.split(' ').any(|word| word == section.name()))
        });
        assert!(shown, "{}: no example", section.heading);
    }
}

#[test]
fn every_example_is_what_happens() {
    for section in sections() {
        for (example, varies) in section.examples() {
            let same = if varies { same_shape } else { same_text };
            Transcript::parse(&example).check(&section.heading, same);
        }
    }
}

/// As [`same_text`], but for the moves and numbers that a player comes up with.
fn same_shape(expected: &str, found: &str) -> bool {
    same_text(&shape(expected), &shape(found))
}

fn shape(line: &str) -> String {
    let size = BoardSize::square(25).unwrap();
    let word = |word: &str| {
        if word.parse::<f64>().is_ok() || word.split('.').all(|part| part.parse::<u32>().is_ok()) {
            "NUMBER".to_string()
        } else if size.parse_move(word).is_ok() || word == "resign" {
            "MOVE".to_string()
        } else if word == "Black" || word == "White" {
            // Who is a little ahead.
            "SIDE".to_string()
        } else {
            word.to_string()
        }
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Every command answers a call without arguments, with success or with its usage, and the session goes on.
#[test]
fn every_command_is_answered() {
    for command in all_commands() {
        let (text, _) = answers(&mut session(PLAIN), format!("5 {}\n6 name\n", command.name).as_bytes());
        assert!(text.starts_with("=5") || text.starts_with("?5"), "{}: {text}", command.name);
        let needs = command.usage.starts_with(|c: char| c.is_ascii_alphabetic());
        let usage = format!("usage: {}", command.name);
        assert_eq!(
            text.starts_with("?5 syntax error\n") && text.contains(&usage),
            needs,
            "{}: {text}",
            command.name
        );
        assert!(!text.contains("unknown command"), "{text}");
        assert_eq!(text.contains(&format!("=6 ishi {PLAIN}")), command.name != "quit", "{text}");
    }
}

/// No command takes an argument that its usage does not show.
#[test]
fn surplus_arguments_are_refused() {
    for command in all_commands().iter().filter(|command| command.usage.is_empty()) {
        let (text, _) = answers(&mut session(PLAIN), format!("{} surplus\n", command.name).as_bytes());
        let expected =
            format!("? syntax error\n\"surplus\" is one argument too many; usage: {}\n\n", command.name);
        assert_eq!(text, expected);
    }
}
