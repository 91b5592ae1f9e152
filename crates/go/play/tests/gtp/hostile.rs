//! Input nobody should send: it is answered, and the session goes on.

use ishi_gtp::{ServeEnd, parse_answer_head};
use ishi_rng::{Rng, Seed};
use proptest::prelude::*;

use crate::{HOSTILE, LONG, PLAIN, all_commands, answers, session};

const WORDS: [&str; 44] = [
    "b",
    "w",
    "black",
    "WHITE",
    "B",
    "x",
    "A1",
    "a1",
    "d4",
    "E5",
    "I9",
    "J9",
    "T19",
    "Z25",
    "Z26",
    "pass",
    "PASS",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "9",
    "10",
    "25",
    "26",
    "-1",
    "0.5",
    "1e300",
    "nan",
    "inf",
    "99999999999999",
    "true",
    "false",
    "interval",
    "avoid",
    "allow",
    "a1,b2,pass",
    "game.sgf",
    "text.txt",
    "{\"ko\":\"SIMPLE\"}",
    "é",
];

/// A line that resembles a command, more or less.
fn line(rng: &mut Rng) -> Vec<u8> {
    let commands = all_commands();
    let mut line = Vec::new();
    if rng.chance(0.3) {
        line.extend(format!("{} ", rng.next_below(100_000)).bytes());
    }
    let command = &commands[rng.next_index(commands.len())];
    // The rest of the lines must be answered too.
    line.extend(if command.name == "quit" { b"quit now".iter() } else { command.name.as_bytes().iter() });
    for _ in 0..rng.next_below(5) {
        line.push(*rng.choose(b" \t").unwrap());
        line.extend(rng.choose(&WORDS).unwrap().bytes());
    }
    if rng.chance(0.2) {
        mutate(&mut line, rng);
    }
    line.retain(|&byte| byte != b'\n');
    line
}

fn mutate(line: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.next_below(3) {
        let at = rng.next_index(line.len() + 1);
        match rng.next_below(3) {
            0 => line.insert(at, rng.next_below(256) as u8),
            1 if at < line.len() => drop(line.remove(at)),
            _ => line.truncate(at),
        }
    }
}

fn is_quit(line: &[u8]) -> bool {
    ishi_gtp::GtpCommand::parse(line).is_some_and(|command| command.name == "quit" && command.args.is_empty())
}

/// Each command line is answered once, in order, with its id.
fn check_answers(lines: &[Vec<u8>], output: &str) {
    let commands = lines.iter().filter_map(|line| ishi_gtp::GtpCommand::parse(line));
    let mut answers = output.split("\n\n");
    for command in commands {
        let answer = answers.next().unwrap_or_default();
        let first = answer.lines().next().unwrap_or_default();
        let (_, id, _) =
            parse_answer_head(first).unwrap_or_else(|| panic!("{command} answered with {answer:?}"));
        assert_eq!(id, command.id, "{command} answered with {answer:?}");
    }
    assert_eq!(answers.collect::<Vec<_>>(), [""]);
}

/// 10,000 random lines, a session for every 200.
#[test]
fn ten_thousand_random_lines_are_answered() {
    for (number, engine) in HOSTILE.iter().cycle().take(50).enumerate() {
        let mut rng = Seed::new(2026).stream("lines", number as u64);
        let mut lines: Vec<Vec<u8>> = (0..200).map(|_| line(&mut rng)).collect();
        lines.retain(|line| !is_quit(line));
        let mut session = session(engine);
        let (output, ended) = answers(&mut session, &lines.join(&b'\n'));
        assert_eq!(ended, ServeEnd::EndOfInput);
        check_answers(&lines, &output);
    }
}

/// GNU Go cuts lines at about 1,000 characters and loses step.
#[test]
fn lines_of_any_length_are_read() {
    let moves: String = (0..50_000).map(|n| ["b pass ", "w pass "][n % 2]).collect();
    let (output, _) =
        answers(&mut session(PLAIN), format!("1 gogui-play_sequence {moves}\n2 last_move\n").as_bytes());
    assert_eq!(output, LONG);
    let long = "x".repeat(1_000_000);
    let (output, _) = answers(&mut session(PLAIN), format!("{long}\nname\n").as_bytes());
    assert!(output.ends_with(&format!("\n\n= ishi {PLAIN}\n\n")));
    assert!(output.len() < 1_000, "an endless word is not quoted as a whole: {} bytes", output.len());
    assert!(output.starts_with("? unknown command\n\"xx"), "{output}");
    assert!(output.contains("xx\": list_commands lists those there are"), "{output}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(input in proptest::collection::vec(any::<u8>(), 0..300)) {
        let (output, _) = answers(&mut session(PLAIN), &input);
        prop_assert!(output.is_empty() || output.ends_with("\n\n"));
    }
}
