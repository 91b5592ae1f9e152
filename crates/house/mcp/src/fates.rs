//! The fate of a group: questions to `ishi gtp`, and its answers as JSON.

use serde_json::{Map, Value, json};

use crate::command::{OutputReading, ToolCommand};

/// What is asked, after the game is loaded: the command, and the name of its answer.
const QUESTIONS: [(&str, &str); 5] = [
    ("dragon_status", "group"),
    ("owl_attack", "kill_group"),
    ("owl_defend", "save_group"),
    ("attack", "capture_chain"),
    ("defend", "save_chain"),
];

/// Asks about the group at a point, after so many moves of the game or at its end.
pub(crate) fn fate_command(record: &str, name: &str, after: Option<i64>, at: &str) -> ToolCommand {
    let until = after.map_or(String::new(), |moves| format!(" {}", moves + 1));
    let mut command = ToolCommand::new(&["gtp", "--quiet"]).with_file(name, record);
    // The file is named in the input, not on the command line.
    let path = command.arguments.pop().unwrap_or_default();
    let questions: String = QUESTIONS.iter().map(|(question, _)| format!("{question} {at}\n")).collect();
    command.input = format!("loadsgf {path}{until}\n{questions}quit\n");
    command.reading = OutputReading::Fates;
    command
}

/// The answers of the protocol as JSON; an error of the protocol as its text.
pub(crate) fn read_fates(output: &str) -> Result<Value, String> {
    let mut answers = output.split("\n\n").map(str::trim).filter(|answer| !answer.is_empty());
    let loaded = answers.next().unwrap_or("? no answer");
    if let Some(error) = loaded.strip_prefix('?') {
        return Err(error.trim().to_string());
    }
    let mut told = Map::new();
    for ((question, name), answer) in QUESTIONS.iter().zip(answers) {
        let value = match answer.strip_prefix('?') {
            Some(error) if *question == "dragon_status" => return Err(plain_error(error)),
            Some(error) => json!({"unknown": plain_error(error)}),
            None => answer_json(question, answer.trim_start_matches('=').trim()),
        };
        told.insert((*name).to_string(), value);
    }
    if told.len() == QUESTIONS.len() {
        Ok(Value::Object(told))
    } else {
        Err("the reading ended early".to_string())
    }
}

/// What the protocol says is wrong, without its own commands: who asked knows nothing of them.
fn plain_error(error: &str) -> String {
    let error = error.trim();
    let error = error.strip_prefix("syntax error").unwrap_or(error).trim_start();
    error.split_once("; usage: ").map_or(error, |(wrong, _)| wrong).to_string()
}

fn answer_json(question: &str, answer: &str) -> Value {
    let mut words = answer.split_whitespace();
    let first = words.next().unwrap_or_default();
    let moves: Vec<&str> = words.collect();
    if question == "dragon_status" {
        return json!({"status": first, "kills_or_saves": moves});
    }
    let outcome = match first {
        "0" => "impossible",
        "1" => "works",
        "2" => "works by ko, the other side must find the first threat",
        "3" => "works by ko, this side must find the first threat",
        other => other,
    };
    json!({"outcome": outcome, "move": moves.first()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_follow_the_game() {
        let command = fate_command("(;B[dd])", "game.sgf", Some(3), "D4");
        assert_eq!(command.arguments, ["gtp", "--quiet"]);
        assert!(
            command.input.starts_with("loadsgf {}game.sgf 4\ndragon_status D4\nowl_attack D4\n"),
            "{}",
            command.input
        );
        assert!(command.input.ends_with("defend D4\nquit\n"));
    }

    #[test]
    fn answers_become_json() {
        let output = "=\n\n= critical A2 B1\n\n= 1 A2\n\n= 2 B1\n\n= 0\n\n? safe\n\n=\n\n";
        let told = read_fates(output).unwrap();
        assert_eq!(told["group"], json!({"status": "critical", "kills_or_saves": ["A2", "B1"]}));
        assert_eq!(told["kill_group"], json!({"outcome": "works", "move": "A2"}));
        assert_eq!(told["capture_chain"], json!({"outcome": "impossible", "move": null}));
        assert_eq!(told["save_chain"], json!({"unknown": "safe"}));
    }

    #[test]
    fn errors_of_the_protocol_are_told() {
        assert_eq!(read_fates("? cannot load file\n\n? x\n\n").unwrap_err(), "cannot load file");
        assert_eq!(
            read_fates("=\n\n? there must be a stone at D4\n\n").unwrap_err(),
            "there must be a stone at D4"
        );
        let wrong = "? syntax error\ninvalid vertex \"Z\": write D4; usage: dragon_status VERTEX";
        assert_eq!(read_fates(&format!("=\n\n{wrong}\n\n")).unwrap_err(), "invalid vertex \"Z\": write D4");
        assert_eq!(read_fates("=\n\n= alive\n\n").unwrap_err(), "the reading ended early");
    }
}
